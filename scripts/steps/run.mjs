import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * Exit code of a child as a shell reports it: 128 + the signal's number if a signal ended it.
 * @param {ChildProcess} child
 * @returns {Promise<number>}
 */
export const exitOf = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });

const signals = /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT']);

/**
 * Waits for a child and forwards signals to it. A terminal sends Ctrl-C to the child itself.
 * @param {ChildProcess} child
 * @returns {Promise<number>} its exit code
 */
const waitFor = async (child) => {
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  try {
    return await exitOf(child);
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
};

/**
 * Runs a program at the root of the checkout, with the terminal's own input and output, to its end.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<number>} its exit code
 */
export const run = (file, args, { env, cwd = root } = {}) =>
  waitFor(spawn(file, [...args], { cwd, env: { ...process.env, ...env }, stdio: 'inherit' }));
