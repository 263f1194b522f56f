import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['**/dist/', '**/node_modules/', 'packages/reports/src/html/page-assets.ts'],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      // Code is prettier's; prose wraps.
      'max-len': [
        'error',
        { code: 10_000, comments: 100, ignoreUrls: true, ignorePattern: 'eslint-' },
      ],
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(\\.\\./)+(core|verifier)/|^@fencewright/(core|verifier)/(src|dist)',
              message:
                "Apps import only what packages export: '@fencewright/core', '.../native', '.../testing'.",
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'Name what a barrel exports.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Indices into tables are in range by construction; where the type does not show it, `!` says
      // so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Ids are branded numbers: an object type that only wraps a name is often the clearer one.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // The bit operations and comparisons of the engines read better without it.
      '@typescript-eslint/prefer-for-of': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // It knows neither what closures assign nor that an index in an optional chain may miss.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
    },
  },
  {
    // A test file is a list of cases: its length says nothing about its clarity.
    files: ['packages/*/test/**/*.ts', 'tools/**/*.ts'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
    },
  },
  {
    // The tests of a wing ask through the facade, also by functions that it does not publish.
    files: [
      'packages/{ground,model,languages,engines,proofs,reports,nets,repairs,reference}/test/**/*.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
);
