import { type Certainty, certainly, type VerbCall, type VerbProgram, wordIs } from '../../arguments/verbs.ts'
import { knownTextAt, putFile } from '../../expand/line-files.ts'
import { scriptFile, scriptsAsked, scriptsSet } from '../../expand/npm-scripts.ts'
import { codeRun, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import { exactText, exactWord, textPiece } from '../../words/words.ts'
import { interpreterSource } from '../aspects/code-source.ts'
import type { Interpreter } from '../aspects/interpreter.ts'
import { only, PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { dotenvSettings, NODE_INTERPRETER } from '../languages/node.ts'
import type { Program, ProgramTable } from '../program.ts'
import { FOREIGN, LOADS_CODE, LOADS_OVER_OPEN_LINE } from './acts.ts'
import { ADDRESS, after } from './foreign.ts'
import { overOpenLine, published, publishing, unpublished } from './registry.ts'

/** Settings of npm that name a program every later call runs. */
function setsProgram({ rest }: VerbCall): Certainty {
  return wordIs(rest[0], SETTINGS) === 'yes'
    ? 'yes'
    : certainly(/^(script-shell|node-options|shell|git)=/.test(exactText(rest[0]) ?? ''))
}

const SETTINGS = ['script-shell', 'node-options', 'shell', 'git', 'node-gyp']

const NPM_OPTIONS = `
  C|dir|prefix|cwd= w|workspace= F|filter= registry= tag= access= otp= loglevel= r|recursive workspaces
  dry-run=? n help h|help json g|global s|silent q|quiet f|force userconfig= cache= script-shell=
  no-git-checks y|yes provenance=? ignore-scripts tolerate-republish
`
const REGISTRY: VerbProgram = {
  ...publishing(
    unpublished('unpublish|deprecate|unpub'),
    unpublished('owner rm|remove'),
    unpublished('dist-tag|dist-tags|tag rm|remove'),
    published('publish|pub'),
    published('npm publish'),
    published('workspace * publish'),
    published('workspace * npm publish'),
    published('workspaces foreach npm publish'),
    published('stage publish'),
    published('owner add'),
    published('access grant|set|public'),
    ['config|c set', LOADS_CODE, { when: setsProgram }],
    ['set', LOADS_CODE, { when: setsProgram }],
    ['config|c set', LOADS_OVER_OPEN_LINE, { when: overOpenLine }],
    ['set', LOADS_OVER_OPEN_LINE, { when: overOpenLine }],
    ['install|i|add|ci|update|exec|x|dlx', LOADS_OVER_OPEN_LINE, { when: overOpenLine }],
    ['', LOADS_CODE, { value: [/./, 'script-shell'] }],
  ),
  options: NPM_OPTIONS,
}

const NPX: Wrapper = {
  options: `
    p|package= c|call= w|workspace= registry= cache= userconfig= loglevel= n|node-arg= npm= shell=? y|yes no
    no-install q|quiet ignore-existing prefer-offline offline
  `,
  code: 'call',
  versioned: true,
}
const PNPM_EXEC: Wrapper = {
  options: `
    C|dir= F|filter= c|shell-mode r|recursive parallel w|workspace-root package= resume-from= report-summary
    s|silent
  `,
  joins: 'shell-mode',
  versioned: true,
}
const BUNX: Wrapper = { options: 'p|package= bun silent verbose', versioned: true }
const EXEC_OPTIONS = `
  w|workspace= prefix= loglevel= registry= cache= userconfig= p|package= c|call= C= ws|workspaces y|yes no
  q|quiet s|silent
`

/** `deno eval code`, `bun eval code`: a verb before the code. */
const WITH_VERB: Interpreter = {
  ...NODE_INTERPRETER,
  find: (args) => {
    const [verb, ...rest] = args
    if (exactText(verb) === 'run') return NODE_INTERPRETER.find(rest)
    if (exactText(verb) !== 'eval')
      return /^-/.test(exactText(verb) ?? '') || args.length === 0
        ? NODE_INTERPRETER.find(args)
        : { code: [], other: true }
    const code = rest.find((word) => !/^-/.test(exactText(word) ?? ''))
    return code === undefined ? { code: [], other: true } : { code: code.forms }
  },
}

const leaves: NonNullable<Program['leaves']> = (args, shell) => {
  for (const { name, code } of scriptsSet(args))
    putFile(shell, scriptFile(name), { kind: 'text', forms: [[textPiece(code)]] })
}
const runsPackages = { runsPackages: true } as const

/** Package managers of JavaScript, and what they run. */
export const NPM: ProgramTable = {
  npm: {
    acts: REGISTRY,
    lines: [[FOREIGN, after('exec|x')]],
    wraps: {
      options: EXEC_OPTIONS,
      // `npm run env` is no script: it runs what follows with the variables of one.
      verbs: {
        exec: NPX,
        x: NPX,
        explore: { ...PLAIN, operands: 1, separated: true },
        run: only('env'),
        'run-script': only('env'),
      },
    },
    starts: npmLaunch,
    files: runsPackages,
    credentials: [['the npm token', /\bconfig get \S*_(authToken|auth|password)\b|\btoken create\b/]],
    leaves,
  },
  pnpm: {
    acts: REGISTRY,
    lines: [[FOREIGN, after('dlx')]],
    wraps: {
      options:
        'C|dir= F|filter= filter-prod= loglevel= reporter= c|shell-mode r|recursive w|workspace-root s|silent',
      verbs: { exec: PNPM_EXEC, dlx: PNPM_EXEC, x: PNPM_EXEC },
      ownVerbs: `
      add install i ci update up upgrade remove rm uninstall un link ln unlink import rebuild rb prune fetch
      patch audit outdated list ls la ll why licenses run run-script test t tst start stop restart pack
      publish deploy server store root bin setup env config c get set init create init doctor help cat-file
      cat-index find-hash self-update approve-builds login logout whoami version view info show search s
      dedupe cache patch-commit patch-remove install-test it completion
    `,
    },
    starts: npmLaunch,
    files: runsPackages,
    credentials: [['the npm token', /\bconfig get \S*_(authToken|auth|password)\b/]],
    leaves,
  },
  yarn: {
    acts: REGISTRY,
    lines: [[FOREIGN, after('dlx')]],
    wraps: {
      options: 'cwd= registry= mutex= s|silent offline verbose',
      verbs: {
        exec: { options: 's|silent', joins: true },
        dlx: { options: 'p|package= q|quiet', versioned: true },
      },
      ownVerbs: `
      add audit autoclean bin cache check config create dedupe generate-lock-entry global help import info
      init install licenses link list login logout node npm outdated owner pack plugin policies prune publish
      rebuild remove run search set stage tag team test unlink unplug up upgrade upgrade-interactive version
      versions why workspace workspaces start build constraints explain patch patch-commit
    `,
    },
    // `yarn workspace web exec rm x`: what follows the name is for yarn again.
    starts: (call) => {
      const { name, args } = call
      const [verb, , ...rest] = args
      return exactText(verb) === 'workspace' && rest.length > 0
        ? { own: 2, runs: [{ via: `${name} workspace`, words: [exactWord(name), ...rest] }] }
        : npmLaunch(call)
    },
    files: runsPackages,
    credentials: [['the npm token', /\bconfig get \S*(npmAuthToken|npmAuthIdent|_authToken)\b/]],
  },
  bun: {
    acts: REGISTRY,
    lines: [[FOREIGN, after('x')]],
    wraps: {
      options: 'cwd= c|config= env-file=? hot watch smol b|bun silent',
      verbs: { x: BUNX, exec: { ...PLAIN, texts: true } },
    },
    starts: npmLaunch,
    interprets: WITH_VERB,
    codeFrom: interpreterSource,
    fetchesCode: true,
    files: { code: true, settings: dotenvSettings },
  },
  deno: {
    acts: publishing(published('publish')),
    lines: [[FOREIGN, /^(?:run|install|serve|compile)\b.*\shttps?:/]],
    interprets: WITH_VERB,
    codeFrom: interpreterSource,
    fetchesCode: true,
    files: { code: true },
  },
  npx: { lines: [[FOREIGN, ADDRESS]], wraps: NPX, fetchesCode: true, files: runsPackages },
  bunx: { lines: [[FOREIGN, ADDRESS]], wraps: BUNX, fetchesCode: true, files: runsPackages },
  pnpx: { lines: [[FOREIGN, ADDRESS]], wraps: PNPM_EXEC, fetchesCode: true },
}

/** Scripts that an install starts, on the machine of whoever installs. */
const RUNS_BY_ITSELF = /^(?:(?:pre|post)?install|(?:pre|post)?prepare|dependencies)$/

/** `npm pkg set scripts.test=code; npm test` */
function npmLaunch({ name, args, place }: LaunchCall): Launch | undefined {
  const byItself = scriptsSet(args).filter(({ name: script }) => RUNS_BY_ITSELF.test(script))
  if (byItself.length > 0) {
    const forms = byItself.map(({ code }) => [textPiece(code)])
    return { own: args.length, runs: [codeRun(`${name} script`, forms, { shell: 'child', setting: true })] }
  }
  const asked = place.files.size === 0 ? [] : scriptsAsked(name, args)
  const code = asked.flatMap((script) => knownTextAt(scriptFile(script), place) ?? [])
  return code.length === 0
    ? undefined
    : { own: args.length, runs: [codeRun(`${name} script`, code, { shell: 'child', setting: true })] }
}
