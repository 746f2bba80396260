import { wordList } from '../../../../core/word-list.ts'
import { exactForm, type Form } from '../../../../shell/words/words.ts'
import {
  hasOddFolder,
  hasTempFolder,
  type LoadContext,
  requiresFromOutside,
  runsShellCode,
  startsFromTemp,
} from './loading-values.ts'

export interface Setting {
  readonly name: string
  readonly forms: readonly Form[]
}

/** What code the setting loads into programs, as the end of a sentence. Undefined for an ordinary setting. */
export function whatItLoads(
  { name, forms }: Setting,
  place: LoadContext,
): { readonly what: string; readonly unsure?: string } | undefined {
  const judge = judgeOf(name)
  if (judge === undefined) return undefined
  for (const form of forms) {
    const text = exactForm(form)
    const shown = form.map((piece) => piece.text).join('')
    if (text === '' || shown === '') continue
    // In a search path only the part before `$PATH` matters, and that part is often known.
    if (text === undefined && judge.kind === 'value') {
      return { what: `sets ${name}, ${judge.what}`, unsure: 'its value is known only at run time' }
    }
    if (judge.odd(text ?? shown, place)) return { what: `sets ${name}=${shown}, ${judge.what}` }
  }
  return undefined
}

interface Judge {
  /** `value`: an unknown value makes the result unsure. `list`: the known part is judged. */
  readonly kind: 'value' | 'list'
  readonly what: string
  odd(value: string, place: LoadContext): boolean
}

const INTO_EVERY = 'which loads code into every program started with it'
const RUN_BY_SHELLS = 'which every shell started with it runs first'
const SEARCHED = 'so that programs are searched in a folder that every user can write to'
const LOOKED_FOR = 'so that code is searched in a folder that every user can write to'
const FROM_THERE = 'which makes the tool run a program from there'
const BY_COMPILER = 'which runs instead of the compiler'

/** Libraries that only measure, or that replace the allocator. */
const KNOWN_LIBRARIES =
  /^\/(?:usr|lib|lib64|opt)\/\S*lib(?:jemalloc|tcmalloc|mimalloc|asan|tsan|ubsan|faketime|eatmydata|nss_wrapper)\b\S*$/
const KNOWN_SHELL =
  /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da|k)?sh$|\b(?:bash|cmd|pwsh|powershell)\.exe$/i
/** Modules that come with perl, or that are named like a CPAN module: `-MDevel::Cover`. */
const PERL_MODULES =
  /-[mM](?!-?(?:[A-Z]\w*|strict|warnings|utf8|feature|local|lib|bigint|open|diagnostics)\b)/

type Odd = Judge['odd']

const value = (names: string, what: string, odd: Odd = () => true) =>
  rows(names, { kind: 'value', what, odd })
const list = (names: string, what: string, odd: Odd = () => true) => rows(names, { kind: 'list', what, odd })

function rows(names: string, judge: Judge): readonly (readonly [string, Judge])[] {
  return wordList(names).map((name) => [name, judge])
}

const VARIABLES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  // Shells and the dynamic loader.
  ...value('LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES', INTO_EVERY, (text) => !KNOWN_LIBRARIES.test(text)),
  ...list('LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH', INTO_EVERY, hasOddFolder),
  ...value('GCONV_PATH', INTO_EVERY),
  ...value('BASH_ENV', RUN_BY_SHELLS),
  // `ENV=production` is a setting of the application.
  ...list('ENV', RUN_BY_SHELLS, (text) => /[/~]|\.sh$/.test(text)),
  ...list('ZDOTDIR', RUN_BY_SHELLS, hasTempFolder),
  ...list('FPATH SHELL', SEARCHED, hasTempFolder),
  ...value('PROMPT_COMMAND', 'which an interactive shell runs before every prompt'),
  ...list('PATH', SEARCHED, hasOddFolder),
  // Programs that other programs start.
  ...value('LESSOPEN', 'which less runs for every file', (text) => {
    return !/lesspipe|highlight|pygmentize|bat\b/.test(text)
  }),
  ...list('GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM', FROM_THERE, hasTempFolder),
  ...list('GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS PAGER MANPAGER GIT_PAGER', FROM_THERE, startsFromTemp),
  ...list('SYSTEMD_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR', FROM_THERE, startsFromTemp),
  ...list('GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF BROWSER LESSCLOSE', FROM_THERE, startsFromTemp),
  ...list('SVN_SSH RSYNC_RSH HGEDITOR HGMERGE KUBE_EDITOR', FROM_THERE, startsFromTemp),
  ...list('TAR_OPTIONS', 'which makes tar run a program', (text) => {
    return /exec=|--to-command|--(?:use-)?compress-program|(?:^|\s)-I|--rsh-command|--info-script/.test(text)
  }),
  ...list('VIMINIT EXINIT GVIMINIT', 'which the editor runs first', (text) => {
    return /!|\bsystem\s*\(|\bso(?:urce)?\b|\bexe(?:cute)?\b|\b(?:py3?|lua|perl|ruby)\b/.test(text)
  }),
  // Builds.
  ...list(
    'CC CXX CPP LD AR AS RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER',
    BY_COMPILER,
    runsShellCode,
  ),
  ...list('CARGO_BUILD_RUSTC CARGO_BUILD_RUSTC_WRAPPER CARGO_BUILD_RUSTDOC', BY_COMPILER, runsShellCode),
  ...list('CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER', BY_COMPILER, runsShellCode),
  ...list('MAKEFLAGS GNUMAKEFLAGS MFLAGS', 'which make reads as additional rules', (text) => {
    return /--eval|\$\(shell|!=|\bSHELL=|(?:^|\s)(?:-f|--(?:make)?file=?)\s*\/(?:tmp|dev)\b/.test(text)
  }),
  ...list('GOFLAGS', BY_COMPILER, (text) => /-toolexec|-exec\b/.test(text)),
  // Languages.
  ...list('NODE_OPTIONS', 'which loads code into every node', requiresFromOutside),
  ...list('RUBYOPT', 'which loads code into every ruby', (text) => /(?:^|\s)-[rI]\s*["']?[./~]/.test(text)),
  ...list('PERL5OPT', 'which runs code in every perl', (text) => {
    return /[;({]|-[eEd]\b|-I\s*\/(?:tmp|dev)/.test(text) || PERL_MODULES.test(text)
  }),
  ...value('PERL5DB', 'which runs code in every perl that is debugged'),
  ...value('LUA_INIT LUA_INIT_5_3 LUA_INIT_5_4', 'which every lua runs first'),
  ...list('PYTHONSTARTUP', 'which an interactive python runs first'),
  ...list('PYTHONBREAKPOINT', 'which python calls', (text) =>
    /^(?:os|posix|subprocess|builtins|pty)\./.test(text),
  ),
  ...list(
    'PYTHONPATH PYTHONHOME PERL5LIB PERLLIB RUBYLIB NODE_PATH CLASSPATH GEM_PATH',
    LOOKED_FOR,
    hasTempFolder,
  ),
  ...list(
    'LUA_PATH LUA_CPATH JULIA_LOAD_PATH EMACSLOADPATH R_PROFILE R_PROFILE_USER',
    LOOKED_FOR,
    hasTempFolder,
  ),
  ...list('PHPRC PHP_INI_SCAN_DIR OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES', LOOKED_FOR, hasTempFolder),
  ...list('GIO_MODULE_DIR GTK_PATH QT_PLUGIN_PATH GST_PLUGIN_PATH LOCPATH', LOOKED_FOR, hasTempFolder),
  ...list('JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS', 'which loads code into every java', loadsAgent),
  ...list('JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS', 'which loads code into every java', loadsAgent),
])

const FUNCTION: Judge = { kind: 'value', what: RUN_BY_SHELLS, odd: (text) => /^\s*\(\)/.test(text) }
const SCRIPT_SHELL: Judge = {
  kind: 'list',
  what: 'which npm runs every script with',
  odd: (text) => !KNOWN_SHELL.test(text),
}
const NPM_PROGRAM: Judge = { kind: 'list', what: FROM_THERE, odd: startsFromTemp }
const NODE_OPTIONS: Judge = {
  kind: 'list',
  what: 'which loads code into every node',
  odd: requiresFromOutside,
}

/** Some variables are known by part of their name. */
function judgeOf(name: string): Judge | undefined {
  const known = VARIABLES.get(name)
  if (known !== undefined) return known
  if (/^BASH_FUNC_/.test(name)) return FUNCTION
  if (/^npm_config_script[-_]shell$/i.test(name)) return SCRIPT_SHELL
  if (/^npm_config_node[-_]options$/i.test(name)) return NODE_OPTIONS
  if (/^npm_config_(?:git|shell|editor|viewer|node[-_]gyp)$/i.test(name)) return NPM_PROGRAM
  return /^CARGO_TARGET_\w+_(?:RUNNER|LINKER)$/.test(name) ? VARIABLES.get('RUSTC_WRAPPER') : undefined
}

function loadsAgent(text: string): boolean {
  return (
    /-(?:javaagent|agentpath):["']?(?:\/tmp|\/dev\/shm|\/var\/tmp|~|\.\.)/.test(text) ||
    /-XX:On(?:OutOfMemory)?Error=/.test(text)
  )
}
