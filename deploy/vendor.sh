#!/usr/bin/env bash
# Writes static/vendor/htmx.js: htmx and its socket extension in one file, lowered for iOS 14.
# Then every script must parse as ES2020, our own included.
set -euo pipefail
cd "$(dirname "$0")/.."

htmx=4.0.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix "$work" htmx.org@$htmx esbuild@0.28.2 acorn@8.17.0

dist="$work/node_modules/htmx.org/dist"
{
    echo "/*! htmx $htmx and its extension hx-ws. Zero-Clause BSD, see LICENSE-htmx.txt. Made by \`make vendor\`:"
    echo " *  cat dist/htmx.js dist/ext/hx-ws.js | esbuild --target=es2020 --minify --format=iife */"
    # One scope for both, so that the helpers esbuild adds stay out of the page's.
    { cat "$dist/htmx.js"; echo "window.htmx = htmx;"; cat "$dist/ext/hx-ws.js"; } |
        "$work/node_modules/.bin/esbuild" --target=es2020 --minify --format=iife --charset=utf8
} > "$work/htmx.js"
mkdir -p static/vendor
cp "$work/htmx.js" static/vendor/htmx.js
cp "$work/node_modules/htmx.org/LICENSE" static/vendor/LICENSE-htmx.txt

shopt -s nullglob
for script in static/vendor/*.js static/js/*.js; do
    kind=$(grep -qE '^(import|export)\b' "$script" && echo --module || true)
    "$work/node_modules/.bin/acorn" --ecma2020 --silent $kind "$script"
done
