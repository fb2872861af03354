#!/bin/sh
# Starts the server with the flags and the environment of start.json, which every other start uses too.
set -e
cd "$(dirname "$0")/.."
command=$(node -p "const { flags, env } = require('./server/start.json'); [...Object.entries(env).map((pair) => pair.join('=')), 'node', ...flags].join(' ')")
# Unquoted: each word is an argument.
exec env $command server/src/main.ts
