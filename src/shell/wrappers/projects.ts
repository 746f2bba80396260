import { eachWord, wordSet } from '../../core/word-list.ts'
import { optionTable } from '../arguments/options.ts'
import { PLAIN, type Wrapper } from '../programs/aspects/wrapper.ts'

/** Programs of projects and languages that run another one with their own versions, variables or secrets. */

const NPM = optionTable(`
  w|workspace= prefix= loglevel= registry= cache= userconfig= p|package= c|call= C= ws|workspaces y|yes no
  q|quiet s|silent
`)
const NPX: Wrapper = {
  options: optionTable(`
    p|package= c|call= w|workspace= registry= cache= userconfig= loglevel= n|node-arg= npm= shell=? y|yes no
    no-install q|quiet ignore-existing prefer-offline offline
  `),
  code: 'call',
  versioned: true,
}
const PNPM_EXEC: Wrapper = {
  options: optionTable(`
    C|dir= F|filter= c|shell-mode r|recursive parallel w|workspace-root package= resume-from= report-summary
    s|silent
  `),
  joins: ['shell-mode'],
  versioned: true,
}
const BUNX: Wrapper = { options: optionTable('p|package= bun silent verbose'), versioned: true }
const UV_RUN: Wrapper = {
  options: optionTable(`
    with= with-editable= with-requirements= p|python= project= directory= package= extra= group= only-group=
    no-group= env-file= index= default-index= i|index-url= extra-index-url= f|find-links= from=
    refresh-package= C|config-setting= cache-dir= config-file= color= m|module s|script q|quiet v|verbose
    n|no-cache U|upgrade isolated active no-project all-extras dev no-dev frozen locked offline exact no-sync
    native-tls
  `),
  folder: 'directory',
}
const UVX: Wrapper = { ...UV_RUN, versioned: true }
const CONDA_RUN: Wrapper = {
  options: optionTable(
    'n|name= p|prefix= cwd= v|verbose dev debug-wrapper-scripts no-capture-output live-stream',
  ),
  folder: 'cwd',
}
const SEPARATED: Wrapper = { ...PLAIN, separated: true }
const only = (verb: string, wrapper: Wrapper = SEPARATED, own = ''): Wrapper => ({
  options: optionTable(own),
  verbs: { [verb]: wrapper },
})

export const PROJECT_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  npx: NPX,
  npm: {
    options: NPM,
    // `npm run env` is no script: it runs what follows with the variables of one.
    verbs: {
      exec: NPX,
      x: NPX,
      explore: { ...PLAIN, operands: 1, separated: true },
      run: only('env'),
      'run-script': only('env'),
    },
  },
  pnpx: PNPM_EXEC,
  pnpm: {
    options: optionTable(
      'C|dir= F|filter= filter-prod= loglevel= reporter= c|shell-mode r|recursive w|workspace-root s|silent',
    ),
    verbs: { exec: PNPM_EXEC, dlx: PNPM_EXEC, x: PNPM_EXEC },
    ownVerbs: wordSet(`
      add install i ci update up upgrade remove rm uninstall un link ln unlink import rebuild rb prune fetch
      patch audit outdated list ls la ll why licenses run run-script test t tst start stop restart pack
      publish deploy server store root bin setup env config c get set init create init doctor help cat-file
      cat-index find-hash self-update approve-builds login logout whoami version view info show search s
      dedupe cache patch-commit patch-remove install-test it completion
    `),
  },
  yarn: {
    options: optionTable('cwd= registry= mutex= s|silent offline verbose'),
    verbs: {
      exec: { options: optionTable('s|silent'), joins: true },
      dlx: { options: optionTable('p|package= q|quiet'), versioned: true },
    },
    ownVerbs: wordSet(`
      add audit autoclean bin cache check config create dedupe generate-lock-entry global help import info
      init install licenses link list login logout node npm outdated owner pack plugin policies prune publish
      rebuild remove run search set stage tag team test unlink unplug up upgrade upgrade-interactive version
      versions why workspace workspaces start build constraints explain patch patch-commit
    `),
  },
  bunx: BUNX,
  bun: { options: optionTable('cwd= c|config= env-file=? hot watch smol b|bun silent'), verbs: { x: BUNX } },
  uv: {
    options: optionTable('directory= project= config-file= color= q|quiet v|verbose n|no-cache offline'),
    verbs: { run: UV_RUN, tool: only('run', UVX) },
  },
  uvx: UVX,
  pipx: {
    ...PLAIN,
    verbs: {
      run: { options: optionTable('spec= python= pip-args= index-url= no-cache verbose'), versioned: true },
    },
  },
  poetry: only(
    'run',
    PLAIN,
    'C|directory= P|project= n|no-interaction q|quiet v|verbose no-plugins no-cache ansi no-ansi',
  ),
  pipenv: only('run', PLAIN),
  pdm: only('run', { options: optionTable('p|project= s|site-packages env-file= g|global') }, 'c|config='),
  hatch: only('run', PLAIN, 'e|env= p|project= data-dir= cache-dir= config= v q'),
  rye: only('run', PLAIN),
  pixi: only('run', { options: optionTable('manifest-path= e|environment= frozen locked') }),
  conda: only('run', CONDA_RUN),
  mamba: only('run', CONDA_RUN),
  micromamba: only('run', CONDA_RUN),
  bundle: only('exec', { options: optionTable('keep-file-descriptors gemfile=') }),
  rbenv: only('exec', PLAIN),
  nvm: only('exec', { options: optionTable('silent'), operands: 1 }),
  volta: only('run', {
    options: optionTable('node= npm= pnpm= yarn= bundled-npm no-pnpm no-yarn verbose quiet'),
  }),
  tox: only('exec', SEPARATED, 'c|conf= v|verbose q|quiet workdir='),
  pyenv: only('exec', PLAIN),
  nodenv: only('exec', PLAIN),
  asdf: only('exec', PLAIN),
  mise: {
    options: optionTable('C|cd= E|env= j|jobs= q|quiet v|verbose y|yes'),
    verbs: Object.fromEntries(
      eachWord('exec x', {
        options: optionTable('c|command= C|cd= j|jobs= E|env= raw'),
        code: 'command',
        separated: true,
      }),
    ),
  },
  direnv: only('exec', { ...PLAIN, operands: 1 }),
  dotenv: {
    options: optionTable('f|file= e= v= p= c=? o q=? export='),
    separated: true,
    verbs: { run: PLAIN },
    ownVerbs: wordSet('list get set unset'),
  },
  'dotenv-cli': { options: optionTable('e= v= p= c=? o'), separated: true },
  dotenvx: only('run', {
    options: optionTable('f|env-file= fk|env-keys-file= e|env= o|overload q|quiet v|verbose d|debug'),
    separated: true,
  }),
  doppler: only(
    'run',
    {
      options: optionTable(
        'p|project= c|config= t|token= command= mount= mount-format= name-transformer= scope= fallback=',
      ),
      code: 'command',
      separated: true,
    },
    'p|project= c|config= t|token=',
  ),
  op: only('run', { options: optionTable('env-file= account= no-masking'), separated: true }),
  infisical: only('run', {
    options: optionTable('command= env= e= path= projectId= token= tags='),
    code: 'command',
    separated: true,
  }),
  'aws-vault': only('exec', {
    options: optionTable('d|duration= region= mfa-token= t= n|no-session s|ecs-server'),
    operands: 1,
    separated: true,
  }),
  chamber: only('exec', SEPARATED),
  teller: only('run', SEPARATED),
  envchain: { ...PLAIN, operands: 1 },
  sops: {
    ...PLAIN,
    verbs: {
      'exec-env': { ...PLAIN, operands: 1, joins: true },
      'exec-file': { ...PLAIN, operands: 1, joins: true },
    },
  },
  devbox: only('run', { options: optionTable('c|config= e|env= env-file='), separated: true }),
  corepack: PLAIN,
  just: { ...PLAIN, after: ['-c', '--command'] },
  foreman: only('run', { options: optionTable('e|env= f|procfile=') }),
  honcho: only('run', { options: optionTable('e|env= f|procfile=') }),
  railway: only('run', { options: optionTable('s|service= e|environment= p|project=') }),
  lerna: only('exec', {
    options: optionTable('scope= ignore= since= concurrency= stream parallel bail'),
    separated: true,
  }),
  'cross-env': { ...PLAIN, assignments: true },
  'cross-env-shell': { ...PLAIN, assignments: true, joins: true },
  'env-cmd': {
    options: optionTable(
      'f|file= e|environments= r|rc-file= x|expand-envs fallback no-override verbose silent use-shell',
    ),
    joins: ['use-shell'],
  },
  concurrently: {
    options: optionTable(
      'n|names= c|prefix-colors= p|prefix= m|max-processes= restart-tries= k|kill-others s|success= r|raw',
    ),
    texts: true,
  },
  nodemon: {
    options: optionTable('x|exec= w|watch= e|ext= i|ignore= d|delay= C|cwd= V|verbose q|quiet'),
    code: 'exec',
  },
  watchexec: {
    options: optionTable(`
      w|watch= e|exts= i|ignore= f|filter= d|debounce= s|signal= shell= E|env= o|on-busy-update= r|restart
      c|clear=? n p|postpone v
    `),
    joins: true,
  },
  hyperfine: {
    options: optionTable(`
      w|warmup= r|runs= m|min-runs= M|max-runs= p|prepare= s|setup= c|cleanup= C|conclude= S|shell= style=
      n|command-name= u|time-unit= export-json= export-markdown= export-csv= N i|ignore-failure
    `),
    texts: true,
    code: 'prepare',
  },
  reflex: {
    options: optionTable(
      'r|regex= R|inverse-regex= g|glob= G|inverse-glob= s|start-service d|decoration= all',
    ),
    separated: true,
  },
  onchange: { options: optionTable('a|all e|exclude= k|kill i|initial d|delay= v|verbose'), separated: true },
  nix: {
    ...PLAIN,
    verbs: Object.fromEntries(eachWord('develop shell env', { ...PLAIN, after: ['-c', '--command'] })),
  },
  'nix-shell': {
    options: optionTable('run|command= A|attr= I= E|expr= arg= argstr= p|packages= i= pure keep= q'),
    code: 'command',
  },
  guix: { ...PLAIN, verbs: { shell: SEPARATED, environment: SEPARATED } },
}
