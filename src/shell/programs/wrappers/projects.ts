import { optionTable } from '../../arguments/options.ts'
import { only, PLAIN, SEPARATED } from '../aspects/wrapper.ts'
import type { Program } from '../program.ts'

/** Programs of projects that run another one, with their own versions or again and again. */
export const PROJECTS: readonly Program[] = [
  { names: 'pipenv rye', wraps: only('run', PLAIN) },
  {
    names: 'pixi',
    wraps: only('run', { options: optionTable('manifest-path= e|environment= frozen locked') }),
  },
  {
    names: 'bundle',
    wraps: only('exec', { options: optionTable('keep-file-descriptors gemfile=') }),
    files: { runsPackages: true },
  },
  { names: 'rbenv pyenv nodenv', wraps: only('exec', PLAIN) },
  { names: 'nvm', wraps: only('exec', { options: optionTable('silent'), operands: 1 }) },
  {
    names: 'volta',
    wraps: only('run', {
      options: optionTable('node= npm= pnpm= yarn= bundled-npm no-pnpm no-yarn verbose quiet'),
    }),
  },
  { names: 'tox', wraps: only('exec', SEPARATED, 'c|conf= v|verbose q|quiet workdir=') },
  {
    names: 'devbox',
    wraps: only('run', { options: optionTable('c|config= e|env= env-file='), separated: true }),
  },
  { names: 'corepack', wraps: PLAIN },
  {
    names: 'concurrently',
    wraps: {
      options: optionTable(
        'n|names= c|prefix-colors= p|prefix= m|max-processes= restart-tries= k|kill-others s|success= r|raw',
      ),
      texts: true,
    },
  },
  {
    names: 'nodemon',
    wraps: {
      options: optionTable('x|exec= w|watch= e|ext= i|ignore= d|delay= C|cwd= V|verbose q|quiet'),
      code: 'exec',
    },
  },
  {
    names: 'watchexec',
    wraps: {
      options: optionTable(`
      w|watch= e|exts= i|ignore= f|filter= d|debounce= s|signal= shell= E|env= o|on-busy-update= r|restart
      c|clear=? n p|postpone v
    `),
      joins: true,
    },
  },
  {
    names: 'hyperfine',
    wraps: {
      options: optionTable(`
      w|warmup= r|runs= m|min-runs= M|max-runs= p|prepare= s|setup= c|cleanup= C|conclude= S|shell= style=
      n|command-name= u|time-unit= export-json= export-markdown= export-csv= N i|ignore-failure
    `),
      texts: true,
      code: 'prepare',
    },
  },
  {
    names: 'reflex',
    wraps: {
      options: optionTable(
        'r|regex= R|inverse-regex= g|glob= G|inverse-glob= s|start-service d|decoration= all',
      ),
      separated: true,
    },
  },
  {
    names: 'onchange',
    wraps: { options: optionTable('a|all e|exclude= k|kill i|initial d|delay= v|verbose'), separated: true },
  },
  {
    names: 'nix-shell',
    wraps: {
      options: optionTable('run|command= A|attr= I= E|expr= arg= argstr= p|packages= i= pure keep= q'),
      code: 'command',
    },
  },
  { names: 'guix', wraps: { ...PLAIN, verbs: { shell: SEPARATED, environment: SEPARATED } } },
]
