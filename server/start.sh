#!/bin/sh
# Starts the built server with the flags and the environment of start.json, which every other start uses too.
set -e
cd "$(dirname "$0")/.."
command=$(node -p "const { flags, env } = require('./server/start.json'); [...Object.entries(env).map((pair) => pair.join('=')), 'node', ...flags].join(' ')")
if [ ! -f server/dist/main.mjs ]; then
  echo 'Weir cannot start: the server is not built; run npm run build' >&2
  exit 1
fi
# Unquoted: each word is an argument.
exec env $command server/dist/main.mjs
