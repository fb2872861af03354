import { defineConfig, type OxlintOverride } from 'oxlint';

/** What a rule set cannot say: a service of ours has no use for these in the named folders. */
const pureFolders: OxlintOverride = {
  files: ['server/src/providers/**', 'server/src/dialects/**', 'contract/src/**'],
  rules: {
    'no-restricted-globals': ['error', 'fetch', 'process', 'setTimeout', 'setInterval', 'performance', 'console'],
    'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: 'The time is passed in.' }],
  },
};

export default defineConfig({
  jsPlugins: ['./scripts/checks/lint-plugin.ts'],
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**', 'console/src/paraglide/**', 'bench/results/**'],
  rules: {
    // Modules: the import table, named exports, no barrels, no cycles.
    'weir/imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-duplicates': 'error',
    'import/no-self-import': 'error',
    'import/no-mutable-exports': 'error',
    'import/no-commonjs': 'error',
    'import/first': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/prefer-node-protocol': 'error',
    'typescript/consistent-type-imports': 'error',

    // Types: parsed once at the edge, trusted inside.
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-unnecessary-type-arguments': 'error',
    'typescript/prefer-readonly': 'error',
    // Members are functions over what they close over, so that passing them on loses nothing.
    'typescript/unbound-method': 'off',
    // `[...text]` counts characters, as the name lengths of the contract do.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],

    // Promises and errors.
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'preserve-caught-error': 'error',
    'no-empty': 'error',

    // Size and shape.
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'weir/max-class-lines': 'error',
    'max-depth': ['error', 3],
    'max-params': ['error', 4],
    'max-nested-callbacks': ['error', 4],
    'no-else-return': ['error', { allowElseIf: false }],
    'no-lonely-if': 'error',
    'no-param-reassign': 'error',
    'no-multi-assign': 'error',
    'no-shadow': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'object-shorthand': 'error',
    'prefer-template': 'error',
    'no-useless-return': 'error',
    'no-unneeded-ternary': 'error',
    eqeqeq: 'error',
    'no-console': 'error',
    'no-alert': 'error',
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
    'unicorn/no-abusive-eslint-disable': 'error',
    'unicorn/no-static-only-class': 'error',
    'unicorn/prefer-number-properties': 'error',
    'unicorn/prefer-array-some': 'error',
    'unicorn/prefer-optional-catch-binding': 'error',
    'unicorn/throw-new-error': 'error',

    // Tests that are run, and real.
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/no-identical-title': 'error',
    'vitest/no-commented-out-tests': 'error',
    'vitest/no-conditional-expect': 'off',
    'vitest/no-conditional-tests': 'off',
    'vitest/require-to-throw-message': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/no-restricted-vi-methods': ['error', { mock: null, doMock: null }],
  },
  overrides: [
    {
      files: ['console/**'],
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/no-danger': 'error',
        'react/no-unstable-nested-components': 'error',
        'react/set-state-in-effect': 'error',
        'react/no-deriving-state-in-effects': 'error',
        'react/jsx-no-constructed-context-values': 'error',
        'react/jsx-no-target-blank': 'error',
        'react/jsx-no-useless-fragment': 'error',
        'react/button-has-type': 'error',
        'react/self-closing-comp': 'error',
        'react/iframe-missing-sandbox': 'error',
        // These judge the source of a wrapped primitive; axe judges the page that comes of it.
        'jsx-a11y/click-events-have-key-events': 'off',
        'jsx-a11y/control-has-associated-label': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        'jsx-a11y/role-has-required-aria-props': 'off',
      },
    },
    pureFolders,
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/*.spec.ts', 'e2e/**', 'server/test/**', 'console/src/testing/**'],
      rules: {
        'max-lines-per-function': 'off',
        'weir/max-class-lines': 'off',
        'max-nested-callbacks': 'off',
        'max-params': 'off',
      },
    },
    // Playwright's fixtures name what they use, also when that is nothing.
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
    // A migration is a list of tables.
    { files: ['server/migrations/**'], rules: { 'max-lines-per-function': 'off' } },
    {
      // Scripts that run before anything is installed, or inlined in the page; tsc checks the former.
      files: ['**/*.js', '**/*.mjs'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    { files: ['**/*.config.ts', 'scripts/checks/lint-plugin.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'scripts/**',
        'bench/**',
        'e2e/**',
        'server/test/simulator/find-planted-bugs.ts',
        'server/test/simulator/find-fault.ts',
      ],
      rules: { 'no-console': 'off' },
    },
  ],
});
