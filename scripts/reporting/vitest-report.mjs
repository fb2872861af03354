import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { root } from '../steps/root.mjs';

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('./test-summary.mjs').Result} Result */

/**
 * Adds one file to the result of its suite.
 * @param {Result} result @param {TestModule} file
 */
const addFile = (result, file) => {
  const name = relative(root, file.moduleId);
  /** @param {string} title @param {readonly { message?: string }[]} errors */
  const note = (title, errors) => {
    result.failed += 1;
    result.titles.push(`${name}: ${title}: ${errors[0]?.message?.split('\n')[0] ?? 'not run'}`);
  };
  for (const test of file.children.allTests()) {
    const { state, errors } = test.result();
    if (state === 'passed') result.passed += 1;
    else note(test.fullName, errors ?? []);
  }
  // A file that cannot be imported has no tests, so it counts as one failure.
  const errors = [...file.errors(), ...[...file.children.allSuites()].flatMap((suite) => suite.errors())];
  if (errors.length > 0) note('the file', errors);
  const { duration, collectDuration } = file.diagnostic();
  result.files.push({ name, seconds: (duration + collectDuration) / 1000 });
};

/** Vitest reporter: counts, seconds and slowest files by suite, written to a file for `scripts/test.mjs`. */
export class VitestReport {
  /** @type {Map<string, Result & { begun: number }>} */
  results = new Map();

  /** @param {string} path of the file to write */
  constructor(path) {
    this.path = path;
  }

  /** @param {string} name */
  resultOf(name) {
    const known = this.results.get(name);
    if (known) return known;
    const result = { name, passed: 0, failed: 0, seconds: 0, titles: [], files: [], begun: performance.now() };
    this.results.set(name, result);
    return result;
  }

  /** @param {TestModule} file */
  onTestModuleQueued(file) {
    this.resultOf(file.project.name);
  }

  /** @param {TestModule} file */
  onTestModuleEnd(file) {
    const result = this.resultOf(file.project.name);
    addFile(result, file);
    result.seconds = (performance.now() - result.begun) / 1000;
  }

  onTestRunEnd() {
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, JSON.stringify([...this.results.values()]));
  }
}
