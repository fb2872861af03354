import type { Plugin } from 'vite';

const exported =
  /export const (\w+) = [\s\S]*if \(locale === "zh"\) return (zh_\w+)\(inputs\)\s*return (en_\w+)\(inputs\)[\s\S]*$/;

/** A compiled message whose choice of the language is one call; undefined: the module is no message in two languages. */
export const compactMessage = (code: string, helper: string): string | undefined => {
  const [whole, name, zh, en] = exported.exec(code) ?? [];
  if (whole === undefined) return undefined;
  const texts = code.slice(0, -whole.length).replace(/^import .*$/m, `import { message } from '${helper}';`);
  return `${texts}export const ${name} = /* @__PURE__ */ message(${en}, ${zh});\n`;
};

/** The compiler repeats the choice of the language in each message: together a tenth of the code of a list page. */
export const compactMessages = (): Plugin => ({
  name: 'weir:compact-messages',
  apply: 'build',
  transform: {
    filter: { id: /\/paraglide\/messages\/\w+\.js$/ },
    handler(code, id) {
      const helper = `${id.slice(0, id.indexOf('/paraglide/'))}/lib/browser/locale.ts`;
      const compact = compactMessage(code, helper);
      return compact === undefined ? null : { code: compact, map: null };
    },
  },
});
