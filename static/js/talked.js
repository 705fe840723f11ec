// What this page has heard and read, by number. It stays with the page's entry in the history: a reload knows it, nobody else.

export const kept = Object.assign({ read: null, heard: null }, history.state && history.state.talk);
export const keep = () => history.replaceState({ ...history.state, talk: kept }, '');
