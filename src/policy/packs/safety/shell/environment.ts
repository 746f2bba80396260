import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText, type Word } from '../../../../shell/words/words.ts'
import { ASSIGNMENT, inCommand } from '../../../analysis/topics.ts'
import { commandsIn, detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { type Setting, whatItLoads } from './loading-variables.ts'

const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

/** Variables that make the next program load or run other code. */
export const environment = shellGuard({
  id: 'safety/shell/environment',
  title: 'Environment variable that makes programs run other code',
  why: 'Every program that is started with this variable runs that code too, and the command line does not show it.',
  instead:
    'name the program or library on the command line, or use a folder in the project (`PATH="$PWD/node_modules/.bin:$PATH" npm test`).',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'LD_PRELOAD=/tmp/x.so ls',
      'env LD_PRELOAD=./hook.so ./app',
      'export LD_PRELOAD="$LIB"; ls',
      'sudo LD_PRELOAD=/tmp/x.so id',
      'LD_AUDIT=/tmp/a.so ls',
      'DYLD_INSERT_LIBRARIES=/tmp/x.dylib ./app',
      'LD_LIBRARY_PATH=/tmp/lib ./app',
      'LD_LIBRARY_PATH=:/usr/lib ./app',
      'BASH_ENV=/tmp/x.sh bash -c ls',
      'ENV=./x.sh sh -i',
      'export BASH_ENV=~/.cache/x; npm test',
      'NODE_OPTIONS="--require /tmp/x.js" npm test',
      "NODE_OPTIONS='--import=data:text/javascript,x' node app.js",
      'PYTHONSTARTUP=/tmp/x.py python3',
      'PYTHONPATH=/tmp/evil python3 app.py',
      'PYTHONHOME=/tmp/py python3 app.py',
      "PERL5OPT='-Mwarnings;system(q(id))' perl x.pl",
      'RUBYOPT=-r/tmp/x ruby app.rb',
      'JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar java -jar app.jar',
      'PATH=/tmp/bin:$PATH npm test',
      'export PATH=.:$PATH',
      'PATH=:$PATH ls',
      'PATH="$TMPDIR/bin:$PATH" make',
      'declare -x PATH=/dev/shm:$PATH',
      'GIT_EXEC_PATH=/tmp/git git status',
      'export PROMPT_COMMAND="./x"',
      "LESSOPEN='|/tmp/x %s' less README.md",
      'GIT_ASKPASS=/tmp/ask git push',
      'ZDOTDIR=/tmp/z zsh -i -c ls',
      'FPATH=/tmp/functions zsh -c ls',
      'PERL5OPT=-Mpayload perl a.pl',
      "TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=./x' tar cf a.tar .",
      'RUSTC_WRAPPER=/tmp/rustc cargo build',
      'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=/tmp/run cargo test',
      'CC=\'sh -c "./x"\' make',
      "MAKEFLAGS='--eval=$(shell ./x)' make",
      'npm_config_script_shell=/tmp/shell npm test',
      "npm_config_node_options='--require /tmp/x.js' npm test",
      "env 'BASH_FUNC_ls%%=() { ./x; }' bash -c ls",
      'OPENSSL_CONF=/tmp/openssl.cnf openssl version',
      "VIMINIT='!./x' vim",
      'GCONV_PATH=/tmp/gconv iconv -f a -t b x',
      'MANPAGER=/tmp/pager man ls',
      'GOFLAGS=-toolexec=/tmp/x go build',
      "LUA_INIT='@/tmp/x.lua' lua a.lua",
      'LD_PRELOAD=/tmp/x.so ls "',
    ],
    passes: [
      'PATH="$PWD/node_modules/.bin:$PATH" npm test',
      'PATH=./node_modules/.bin:$PATH eslint .',
      'export PATH="$HOME/.local/bin:$PATH"',
      'export PATH=$PATH:/usr/local/go/bin',
      'PATH=/usr/bin:/bin ls',
      'PATH=.venv/bin:$PATH python -m pytest',
      'PATH="/opt/homebrew/bin:$PATH" brew list',
      'NODE_OPTIONS=--max-old-space-size=4096 npm run build',
      'NODE_OPTIONS="--import tsx --no-warnings" node src/index.ts',
      'NODE_OPTIONS="-r ./test/setup.js" npx mocha',
      'PYTHONPATH=src python -m app',
      'PYTHONPATH=. pytest',
      'PYTHONPATH=/srv/project/lib python3 app.py',
      'PYTHONDONTWRITEBYTECODE=1 python3 app.py',
      'ENV=production node app.js',
      'NODE_ENV=test npm test',
      'LD_LIBRARY_PATH=./build/lib ./build/app',
      'LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH python3 train.py',
      'LD_PRELOAD= ls',
      'LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 redis-server',
      'RUBYOPT=-W0 bundle exec rspec',
      'RUBYOPT="-rbundler/setup" rake',
      'JAVA_TOOL_OPTIONS=-Xmx2g mvn test',
      'PERL5OPT=-MDevel::Cover prove',
      'CC=clang CXX=clang++ make -j8',
      'CC="ccache gcc" make',
      'RUSTC_WRAPPER=sccache cargo build',
      'MAKEFLAGS=-j8 make',
      'MANPAGER=cat man ls',
      'GIT_PAGER=cat git log',
      'ZDOTDIR=$HOME/.config/zsh zsh -c ls',
      'GIT_CONFIG_GLOBAL=/dev/null git status',
      'GOFLAGS=-mod=vendor go build ./...',
      'npm_config_script_shell=bash npm test',
      'npm_config_loglevel=silent npm test',
      "VIMINIT='set number' vim -es +q",
      'TAR_OPTIONS=--no-same-owner tar xf a.tar',
      'MAVEN_OPTS=-Xmx2g mvn test',
      'env | grep PATH',
      'echo "$LD_PRELOAD"',
      'unset LD_PRELOAD',
      'echo PATH=/tmp/bin:$PATH',
      'GIT_SSH_COMMAND="ssh -i ~/.ssh/deploy" git fetch',
      'docker run -e LD_PRELOAD=/app/lib.so app',
    ],
  },
  mentions: /\b(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|PROMPT_COMMAND)=/,
  maybe: 'may make programs run other code',
  detectors: [
    detector(
      onTopics([inCommand(ASSIGNMENT, ...DECLARES)], settingsIn),
      ({ command, setting }, { facts }) => {
        const loads = whatItLoads(setting, { home: facts.home, project: facts.project, cwd: command.cwd })
        return loads === undefined ? null : caughtIn(command, loads)
      },
    ),
  ],
})

function settingsIn(event: Event, facts: Facts) {
  return commandsIn(event, facts).flatMap((command) =>
    settingsOf(command).map((setting) => ({ command, setting })),
  )
}

/** The variables that a command sets: before it, or as arguments of `export` and similar commands. */
function settingsOf(command: SimpleCommand): readonly Setting[] {
  const declared = DECLARES.has(command.name ?? '') ? command.args.flatMap(declaration) : []
  // A shell cannot set such a variable, but `env` can, so it is read as a program.
  const called = /^BASH_FUNC_/.test(exactText(command.word) ?? '') ? declaration(command.word) : []
  return [
    ...called,
    ...command.assignments.map(({ name, value }) => ({ name, forms: value.forms })),
    ...declared,
  ]
}

function declaration(word: Word): readonly Setting[] {
  return word.forms.flatMap((form) => {
    const [head, ...rest] = form
    const found = head?.kind === 'text' ? /^(\w+(?:%%)?)\+?=/.exec(head.text) : null
    if (head === undefined || found?.[1] === undefined) return []
    const value = head.text.slice(found[0].length)
    return [{ name: found[1], forms: [value === '' ? rest : [{ ...head, text: value }, ...rest]] }]
  })
}

function caughtIn(
  command: SimpleCommand,
  loads: { readonly what: string; readonly unsure?: string },
): GuardMatch {
  const doubt = loads.unsure === undefined ? {} : { unsure: loads.unsure }
  return { caught: loads.what, fragment: command.fragment, ...doubt, detail: { via: [...command.via] } }
}
