import type { OxlintConfig } from 'oxlint'

type Wall = { regex: string; importNames?: string[]; message: string }

/** What the files of one room may not import. Of two overrides for a file the later one replaces the earlier: each room names all its walls. */
const walled = (files: string[], ...patterns: Wall[]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
})

const areas = ['public', 'personal', 'workbench', 'admin']

const sharedIsPure: Wall = {
  regex: String.raw`^#(server|web|db|test)/|\.\./(server|web)/|^node:`,
  message: 'shared code runs in both places and does no input or output',
}
/** Every package but zod, spelled out because the linter's patterns know no "all but". */
const sharedKnowsZod: Wall = { regex: '^([^.#z]|z[^o]|zo[^d]|zod.)', message: 'of packages shared code knows zod alone' }
const serverKnowsNoPages: Wall = {
  regex: '^#web/|/web/|^(react|react-dom|downshift)(/|$)',
  message: 'the server knows the pages only through their build',
}
const serverKnowsNoSite: Wall = {
  regex: '^#web/|/web/|^downshift(/|$)',
  message: 'the page of the evidence pack is rendered by React and shares nothing with the pages of the site',
}
const routesUseQueries: Wall = {
  regex: String.raw`^(#server|\.\.)/.*routes\.ts$`,
  message: 'routes use queries, never other routes',
}
const pagesCall: Wall = {
  regex: '^#(server|db|test)/|/server/|^node:|^(kysely|pg|fastify)(/|$)|^@fastify/',
  message: 'pages reach data through a contract and call()',
}
const linkIsOurs: Wall = { regex: '^react-router$', importNames: ['Link', 'NavLink'], message: 'a link is ui/link.tsx' }
const noArea = (names: string[]): Wall => ({
  regex: `(^#web|\\.\\.)/(${names.join('|')})/`,
  message: 'an area is imported by no other and by nothing that several areas share',
})
/** Every folder but ui, spelled out as above. */
const frameKnowsNoNoun: Wall = {
  regex: String.raw`(^#web|\.\.)/([^u./]|u[^i/]|ui[^/])[^/]*/`,
  message: 'of the pages the frame knows the building blocks alone',
}
const blocksAreBlind: Wall = { regex: String.raw`^#|^\.\./`, message: 'building blocks know nothing of the business' }
const publicIsLight: Wall = { regex: String.raw`^downshift(/|$)|/ui/combobox\.tsx$`, message: 'public pages stay light' }

/** Blank lines and comments are read as well. */
const everyLine = { skipBlankLines: false, skipComments: false }

export default {
  plugins: ['typescript', 'react', 'unicorn', 'import', 'oxc'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'oxc/no-barrel-file': [
      'error',
      {
        threshold: 0,
      },
    ],
    'unicorn/filename-case': [
      'error',
      {
        case: 'kebabCase',
      },
    ],
    'max-params': ['error', { max: 4 }],
    'max-lines': ['error', { max: 400, ...everyLine }],
    'max-lines-per-function': ['error', { max: 80, ...everyLine }],
    'react/rules-of-hooks': 'error',
    'react/no-unstable-nested-components': [
      'error',
      {
        allowAsProps: true,
      },
    ],
    'react/exhaustive-deps': 'error',
    'react/react-in-jsx-scope': 'off',
    'react/no-array-index-key': 'off',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'react/set-state-in-effect': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    'react/memo-dependencies': 'off',
    'react/purity': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/no-unnecessary-type-assertion': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/consistent-return': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-unnecessary-type-conversion': 'off',
    // The compiler refuses enums (erasableSyntaxOnly), and looking for them takes a tenth of the work.
    'typescript/no-unsafe-enum-assignment': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'no-unused-vars': [
      'error',
      {
        argsIgnorePattern: '^_',
        varsIgnorePattern: '^_',
      },
    ],
  },
  overrides: [
    // A component is mostly what it shows.
    { files: ['**/*.tsx'], rules: { 'max-lines-per-function': ['error', { max: 120, ...everyLine }] } },
    // The sort of a sequencer is vitest's, not an array's.
    { files: ['vitest.config.ts'], rules: { 'unicorn/no-array-sort': 'off' } },
    walled(['src/shared/**'], sharedIsPure, sharedKnowsZod),
    walled(['src/shared/**/*.test.ts'], sharedIsPure),
    {
      files: ['src/shared/**'],
      rules: {
        'no-restricted-globals': ['error', 'window', 'document', 'process', 'localStorage', 'fetch'],
      },
    },
    walled(['src/server/**'], serverKnowsNoPages),
    walled(
      ['src/server/opening/pack-page.ts', 'src/server/opening/evidence-page.ts', 'src/server/contract/evidence-page.ts'],
      serverKnowsNoSite,
    ),
    walled(['src/server/*/routes.ts'], serverKnowsNoPages, routesUseQueries),
    walled(['src/web/**'], pagesCall, linkIsOurs),
    walled(['src/web/*/**'], pagesCall, linkIsOurs, noArea(areas)),
    walled(['src/web/app/**'], pagesCall, linkIsOurs, frameKnowsNoNoun),
    ...areas.map((own) =>
      walled(
        [`src/web/${own}/**`],
        pagesCall,
        linkIsOurs,
        noArea(areas.filter((area) => area !== own)),
        ...(own === 'public' ? [publicIsLight] : []),
      ),
    ),
    walled(['src/web/ui/**'], pagesCall, linkIsOurs, blocksAreBlind),
    {
      files: [
        'src/web/**/*-page.tsx',
        'src/web/**/*layout.tsx',
        'src/web/root.tsx',
        'src/web/routes.ts',
        'src/web/entry.server.tsx',
        '*.config.ts',
        'test/failures-at-once.ts',
      ],
      rules: {
        'import/no-default-export': 'off',
        'react/only-export-components': 'off',
      },
    },
    {
      // The first two are called by a library; the others are the words of a sentence, and the rows of a table.
      files: ['src/web/entry.server.tsx', 'src/server/equipment/import-sheets.ts', 'src/shared/text/**', 'db/seed/machines.ts'],
      rules: {
        'max-params': 'off',
      },
    },
    {
      files: ['src/web/public/not-found-layout.tsx'],
      rules: {
        'oxc/no-barrel-file': 'off',
      },
    },
    // The market and the tests are told from beginning to end.
    { files: ['db/seed/**', '**/*.test.ts', 'test/**'], rules: { 'max-lines-per-function': 'off' } },
    {
      files: ['**/*.test.ts', 'test/**'],
      rules: {
        'typescript/require-array-sort-compare': 'off',
        'max-params': 'off',
      },
    },
  ],
  ignorePatterns: ['src/server/db/tables.generated.ts'],
} satisfies OxlintConfig
