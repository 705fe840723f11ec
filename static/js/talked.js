// What this page has read, up to a number, and heard: all up to `heard.after`, and of what came later those in `heard.also`.
// It stays with the page's entry in the history: a reload knows it, nobody else.

export const kept = Object.assign({ read: null, heard: null }, history.state && history.state.talk);
export const keep = () => history.replaceState({ ...history.state, talk: kept }, '');
