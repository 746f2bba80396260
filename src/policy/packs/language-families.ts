import { isObject, type Json } from '../../core/json.ts'
import { wordList } from '../../core/word-list.ts'
import { baseName } from '../../shell/words/paths.ts'

/**
 * Programs load files that no command names: tests, configuration, modules, plug-ins. Which ones is known only to them. So
 * a program of a language may run every file of that language that this session wrote. Data only.
 */
export interface Family {
  /** Tested on the name of the file, or on its whole path. */
  readonly files: RegExp
  readonly on?: 'path'
  /** Tested on the text of the command. */
  readonly programs: RegExp
  readonly how: FamilyHow
  /** The command must mention the file, its folder, or its name without the ending. */
  readonly mentioned?: true
}

export type FamilyHow =
  | 'sh'
  | 'python3'
  | 'node'
  | 'ruby'
  | 'perl'
  | 'php'
  | 'lua'
  | 'Rscript'
  | 'java'
  | 'awk'
  | 'sed'
  | 'pwsh'
  | 'cmd'
  | 'lines'
  | 'json'
  | 'scripts'
  | 'compose'

/** One of these programs, where a command can begin: not a part of a path or of another word. */
function programs(names: string): RegExp {
  const each = wordList(names).map((name) => name.replace(/[.+]/g, '\\$&'))
  return new RegExp(`(?:^|[\\s;&|(\`'"/])(?:${each.join('|')})(?=[\\s;&|)'"@]|$)`)
}

const JAVASCRIPT = programs(`
  npm npx pnpm pnpx yarn bun bunx deno tsx ts-node esno zx jest vitest mocha ava tap jasmine karma wdio cypress playwright
  eslint prettier babel webpack rollup vite parcel esbuild tsup next nuxt astro gatsby remix svelte-kit ng nx turbo lerna
  gulp grunt jake lint-staged commitlint tailwindcss postcss stylelint typeorm knex sequelize prisma drizzle-kit
  react-native expo metro storybook pm2 nodemon electron serverless sls cdk pulumi wrangler semantic-release changeset
`)
const PYTHON = programs(`
  pytest py.test tox nox pip pip3 pipx uv uvx poetry pdm hatch rye pipenv conda mamba flask django-admin uvicorn gunicorn
  hypercorn daphne celery streamlit gradio mypy pylint sphinx-build sphinx-autobuild locust alembic coverage scons waf
  conan doit invoke inv fab jupyter ipython behave nose2 pyinstaller airflow dagster prefect dbt scrapy unittest
`)
const RUBY = programs(`
  rake rspec bundle bundler rackup puma guard vagrant danger fastlane pod irb pry rails gem cap cucumber brew
`)
const SHELL_FILE = /\.(?:sh|bash|zsh)$/

const FAMILIES: readonly Family[] = [
  { files: /\/node_modules\/\.bin\/[^/]+$/, on: 'path', programs: JAVASCRIPT, how: 'sh', mentioned: true },
  { files: /^git-\w|^fsmonitor-watchman$/, programs: programs('git'), how: 'sh' },
  {
    files: /\/(?:mise-tasks|\.mise\/tasks|\.config\/mise\/tasks)\//,
    on: 'path',
    programs: programs('mise'),
    how: 'sh',
  },
  // A program of the session that is found before the real one.
  { files: /^[\w-]+$/, programs: /\bPATH=|\bpath=\(|\bhash\s/, how: 'sh', mentioned: true },
  {
    files: SHELL_FILE,
    programs: /\bxargs\b[^|;&]*\b(?:ba|da|z|k|a)?sh\s*(?:[;&|)]|$)|\brun-parts\b/,
    how: 'sh',
  },
  // Through a number of an open file, another name of a folder, or an archive.
  {
    files: SHELL_FILE,
    programs: /<&\s*\d|\/dev\/fd\/|\/proc\/|\b(?:tar|zip|unzip|cpio|7z|bun)\b/,
    how: 'sh',
    mentioned: true,
  },
  { files: /\.[cm]?[jt]sx?$/, programs: JAVASCRIPT, how: 'node' },
  { files: /\.[cm]?[jt]sx?$/, programs: programs('node nodejs'), how: 'node', mentioned: true },
  { files: /\.[cm]?[jt]sx?$/, programs: /\bnode\b[^;|&]*--test\b/, how: 'node' },
  { files: /\.py$|^(?:SConstruct|SConscript|wscript)$/, programs: PYTHON, how: 'python3' },
  {
    files: /\.py$/,
    programs: /(?:^|[\s;&|(`'"/])(?:python|pypy|py)[\d.]*(?=[\s;&|)'"]|$)/,
    how: 'python3',
    mentioned: true,
  },
  {
    files:
      /\.(?:rb|rake|ru|gemspec)$|^(?:Guard|Vagrant|Danger|Fast|App|Pod|Brew|Cap|Berks)file$|^\.(?:irb|pry)rc$/,
    programs: RUBY,
    how: 'ruby',
  },
  { files: /\.rb$/, programs: programs('ruby jruby'), how: 'ruby', mentioned: true },
  {
    files: /\.(?:pm|t)$|^\.?latexmkrc$|^Makefile\.PL$/,
    programs: programs('perl prove latexmk cpanm carton'),
    how: 'perl',
  },
  {
    files: /\.php$|^artisan$/,
    programs: programs('phpunit composer pest drush wp phpstan psalm artisan'),
    how: 'php',
  },
  { files: /\.php$/, programs: programs('php'), how: 'php', mentioned: true },
  { files: /\.lua$/, programs: programs('lua luajit nvim vim busted luarocks'), how: 'lua', mentioned: true },
  { files: /\.[rR]$|^\.Rprofile$/, programs: programs('R Rscript'), how: 'Rscript' },
  { files: /\.go$/, programs: /\bgo\s+generate\b/, how: 'lines' },
  { files: /\.go$/, programs: programs('go'), how: 'java' },
  { files: /\.exs?$/, programs: programs('mix elixir iex'), how: 'java' },
  { files: /\.awk$/, programs: programs('awk gawk mawk'), how: 'awk', mentioned: true },
  { files: /\.sed$/, programs: programs('sed gsed'), how: 'sed', mentioned: true },
  { files: /\.ps1$/, programs: programs('powershell pwsh powershell.exe'), how: 'pwsh', mentioned: true },
  { files: /\.(?:bat|cmd)$/, programs: programs('cmd cmd.exe'), how: 'cmd', mentioned: true },
  { files: /^conf\.py$/, programs: programs('make'), how: 'python3' },
  { files: /\.php$/, programs: /\bphp\b[^;|&]*\s-S\b/, how: 'php' },
  {
    files: /\.(?:gradle|groovy|kts|sbt|scala)$|\.gradle\.kts$/,
    programs: programs('gradle gradlew groovy sbt kotlin'),
    how: 'java',
  },
  { files: /^(?:pom|build)\.xml$/, programs: programs('mvn mvnw ant'), how: 'lines' },
  {
    files: /^CMakeLists\.txt$|\.cmake$|^meson\.build$/,
    programs: programs('cmake ctest cpack meson ninja make'),
    how: 'lines',
  },
  { files: /\.ninja$/, programs: programs('ninja samu'), how: 'lines' },
  { files: /^dune(?:-project)?$/, programs: programs('dune'), how: 'lines' },
  {
    files: /^Procfile(?:\.\w+)?$/,
    programs: programs('foreman honcho overmind hivemind heroku'),
    how: 'lines',
  },
  { files: /^process-compose\.ya?ml$/, programs: programs('process-compose'), how: 'lines' },
  { files: /^(?:Earth|Tilt)file$/, programs: programs('earthly tilt'), how: 'lines' },
  { files: /\.ya?ml$/, programs: programs('act gitlab-runner gitlab-ci-local skaffold'), how: 'lines' },
  { files: /\.tf$/, programs: programs('terraform tofu terragrunt'), how: 'lines' },
  {
    files: /^Pipfile$|^pyproject\.toml$/,
    programs: programs('pipenv pixi task taskipy uv poe'),
    how: 'lines',
  },
  { files: /\/\.cargo\/config(?:\.toml)?$/, on: 'path', programs: programs('cargo'), how: 'lines' },
  { files: /^\.npmrc$|^\.yarnrc(?:\.yml)?$|^bunfig\.toml$/, programs: JAVASCRIPT, how: 'lines' },
  { files: /^pytest\.ini$|^\.rspec$|^\.mocharc/, programs: programs('pytest rspec mocha npx'), how: 'lines' },
  {
    files: /\.(?:service|desktop)$/,
    programs: programs('systemctl systemd-run gtk-launch gio dex xdg-open'),
    how: 'lines',
  },
  { files: /screenrc$/, programs: programs('screen'), how: 'lines' },
  {
    files: /\.(?:tex|ltx|sty)$/,
    programs: programs('tex latex pdflatex xelatex lualatex latexmk'),
    how: 'lines',
  },
  { files: /\.m4$/, programs: programs('m4'), how: 'lines' },
  { files: /^\.(?:gdb|lldb)init$|\.(?:gdb|lldb)$/, programs: programs('gdb lldb'), how: 'lines' },
  {
    files: /./,
    programs: /\bssh\s[^;|&]*-F|\bGIT_CONFIG_|\binclude\.path\b|\bHOME=\S*\s+git\b/,
    how: 'lines',
    mentioned: true,
  },
  { files: /^\.?gitconfig$/, programs: /\bHOME=/, how: 'lines' },
  { files: /^devcontainer\.json$/, programs: programs('devcontainer'), how: 'json' },
  {
    files: /^nodemon\.json$|^\.lintstagedrc(?:\.json)?$/,
    programs: programs('nodemon lint-staged npx'),
    how: 'json',
  },
  {
    files: /^(?:docker-)?compose(?:\.[\w.-]+)?\.ya?ml$/,
    programs: programs('docker docker-compose podman podman-compose'),
    how: 'compose',
  },
  {
    files: /^package\.json$/,
    programs:
      /\b(?:npm-run-all|run-s|run-p|nr|ni|nx|turbo|wireit|lerna|deno)\b|\b(?:npm|pnpm|yarn|bun)\b[^;|&\n]*(?:\s--?(?:prefix|C|cwd|dir|filter|w|workspace)\b|\s(?:version|restart|install|i|add|ci)\b)/,
    how: 'scripts',
  },
]

/** The families that the file belongs to, whatever the command is. */
export function familiesOf(path: string): readonly Family[] {
  const name = baseName(path)
  return FAMILIES.filter(({ files, on }) => files.test(on === 'path' ? path : name))
}

/** By its name, without its ending, by its folder; `node .` means the index. */
export function isMentioned(path: string, command: string): boolean {
  const name = baseName(path)
  const stem = name.replace(/\.\w+$/, '')
  const folder = path.split('/').at(-2) ?? ''
  const words = wordsOf(command)
  if (words.has(name) || words.has(stem)) return true
  if (/^(?:index|main|__main__|__init__)$/.test(stem))
    return words.has(folder) || /\s\.(?:\s|$)/.test(command)
  return false
}

/** The same for all files that are looked up in one command. */
function wordsOf(command: string): ReadonlySet<string> {
  if (lastWords?.command !== command) {
    const words = command.split(/[\s"'`;|&<>()$={}:,[\]/]+/)
    lastWords = { command, words: new Set(words.flatMap((word) => [word, word.replace(/\.\w*$/, '')])) }
  }
  return lastWords.words
}

let lastWords: { readonly command: string; readonly words: ReadonlySet<string> } | undefined

/** What makes it worth judging a file that the command does not name: it starts programs, or deletes, */
const STARTS = /go:generate|exec|spawn|system|popen|subprocess|Command|shell|run\b|`|%x/i
/** and it says one of the words that every act has that is stopped. */
const ACTS =
  /\brm\b|rmtree|rmSync|rmdir|rm_rf|unlink|\bremove|delete|push|--force|--hard|reset|clean\b|\bDROP\b|TRUNCATE|curl|wget|sudo|mkfs|\bdd\b|shred|publish|destroy|chmod|chown|\bkill|shutdown|reboot|crontab|base64|atob|fromCharCode|\bssh\b|\.ssh|\.aws|\.env\b|holdpoint|\.claude|\.codex/i
const DELETES = /rmtree|rmSync|rm_rf|remove_tree|removeSync|RemoveAll|deleteDir|rm\(/

export function mayAct(text: string): boolean {
  return DELETES.test(text) || (STARTS.test(text) && ACTS.test(text))
}

/** Commands in files whose format is not that of a shell, beside what stands after a key or a dash. */
export function commandsInText(text: string): readonly string[] {
  const found = [
    /\bCOMMAND\s+([^)\n]+)/g,
    /\brun_command\s*\(([^)\n]+)\)/g,
    /^\/\/go:generate\s+(.+)$/gm,
    /\bcommand\s*=\s*"((?:[^"\\]|\\.)*)"/g,
    /\bprogram\s*=\s*\[([^\]]*)\]/g,
    /\\write18\s*\{([^}]+)\}/g,
    /\b(?:syscmd|esyscmd)\s*\(\s*`?([^')]+)/g,
    /^\s*(?:ProxyCommand|LocalCommand|RemoteCommand|KnownHostsCommand|Match\s+exec)\s+(.+)$/gim,
    /^\s*(?:shell|platform\s+shell|!)\s*(.+)$/gm,
    /\(\s*(?:system|run|bash)\s+"?([^")]+)/g,
  ]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, command = '']) => command.replace(/["',]+\s*["',]*/g, ' ').trim())
  return [...found, ...programsInXml(text)]
}

/** `<exec executable="git"><arg line="push --force"/></exec>`, `<executable>`, `<argument>`. */
function programsInXml(text: string): readonly string[] {
  if (!/<exec|<executable>/.test(text)) return []
  const program = /executable\s*(?:=\s*["']|>)\s*([^"'<]+)/.exec(text)?.[1] ?? ''
  const args = [
    ...text.matchAll(/<arg(?:ument)?\b[^>]*?(?:(?:line|value)\s*=\s*["']([^"']*)["']|>([^<]*)(?=<))/g),
  ]
  return [[program, ...args.map(([, given, between]) => given ?? between ?? '')].join(' ')]
}

/** A container that is given rights or folders of the machine, as the command that starts it so. */
export function composeCommands(text: string): readonly string[] {
  const folders = [...text.matchAll(/["'\s[-]((?:\/|~|\.{1,2}\/)[^\s"',:\]]*:\/[^\s"',\]]*)/g)].map(
    ([, bind = '']) => `-v '${bind}'`,
  )
  const rights = [
    ...(/\bprivileged\s*:\s*true\b/.test(text) ? ['--privileged'] : []),
    ...(/\bpid\s*:\s*["']?host/.test(text) ? ['--pid=host'] : []),
  ]
  return [...folders, ...rights].length === 0 ? [] : [`docker run ${[...rights, ...folders].join(' ')} image`]
}

/** The scripts of a package that the command names, those around them, and those that installing runs. */
export function scriptCommands(text: string, command: string): readonly string[] {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const scripts = isObject(value) && isObject(value.scripts) ? value.scripts : {}
  const words = new Set(command.split(/[\s"';|&()=]+/))
  const isAsked = (name: string) => words.has(name) || words.has(name.replace(/^(?:pre|post)/, ''))
  const installs = /\s(?:i|install|add|ci)\b|\bni\b/.test(command)
  return Object.entries(scripts).flatMap(([name, code]) => {
    const isOwn = installs && /^(?:pre|post)?(?:install|prepare|publish|pack)$|^dependencies$/.test(name)
    return typeof code === 'string' && (isAsked(name) || isOwn) ? [code] : []
  })
}
