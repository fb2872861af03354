import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const plugin = '../node_modules/@inlang/plugin-message-format/dist/index.js';

/** Writes the project of the message compiler, which needs the name of each message file, and returns its folder. */
export const writeInlangProject = (consoleDir: string): string => {
  const project = join(consoleDir, 'project.inlang');
  const files = readdirSync(join(consoleDir, 'messages', 'en')).toSorted();
  const settings = {
    baseLocale: 'en',
    locales: ['en', 'zh'],
    modules: [plugin],
    'plugin.inlang.messageFormat': { pathPattern: files.map((file) => `./messages/{locale}/${file}`) },
  };
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
  return project;
};
