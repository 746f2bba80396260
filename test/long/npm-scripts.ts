/** Who starts each npm script of package.json. A gate compares this table with package.json and with the files named here. */
export type StartedBy =
  /** The suite `scripts.test.ts` starts it, with each of these arguments, in a copy of the repository. */
  | { readonly here: readonly (readonly string[])[] }
  /** Another test starts it, or a lane of the tests does. */
  | { readonly elsewhere: string; readonly why: string }

export const NPM_SCRIPTS: Readonly<Record<string, StartedBy>> = {
  start: { here: [[]] },
  build: { elsewhere: '.ci/run', why: 'All lanes of the tests run on its output.' },
  generate: { here: [[]] },
  types: { elsewhere: 'scripts/test.mjs', why: '`npm run check` is a part of `npm test`.' },
  lint: { elsewhere: 'scripts/test.mjs', why: '`npm run check` is a part of `npm test`.' },
  format: { elsewhere: 'scripts/test.mjs', why: '`npm run lint` finds what it would change.' },
  unused: { elsewhere: 'scripts/test.mjs', why: '`npm run check` is a part of `npm test`.' },
  check: { elsewhere: 'scripts/test.mjs', why: 'A part of `npm test`.' },
  test: { elsewhere: 'test/long/new.test.ts', why: 'And it is a lane itself.' },
  'test:long': { elsewhere: '.ci/run', why: 'It is a lane itself.' },
  'test:hosts': { elsewhere: '.ci/run', why: 'It is a lane itself.' },
  'hosts:newest': { here: [[], ['claude-code', 'grok', 'qwen']] },
  'release:check': { here: [['--json']] },
  compare: { here: [['--rows', '4']] },
  bench: { here: [['--rounds', '1']] },
  'bench:fleet': {
    here: [
      ['ingest', '--machines', '4', '--seconds', '1', '--warm-up', '0', '--most', '20000'],
      ['fleet', '--machines', '4', '--minutes', '0.05', '--poll', '10', '--no-faults'],
      ['query', '--rows', '1000'],
    ],
  },
  prepack: { elsewhere: 'test/long/package.test.ts', why: 'npm runs it before it packs.' },
  house: { here: [[]] },
  mutants: { here: [['src/core/plan/overrides.ts', '--seed', '1', '--count', '2']] },
  new: { elsewhere: 'test/long/new.test.ts', why: 'It makes every kind, and runs their tests.' },
}
