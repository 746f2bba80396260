import { only, PLAIN, SEPARATED, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'

/** Programs of projects that run another one, with their own versions or again and again. */
export const PROJECTS: ProgramTable = {
  ...each<Wrapper>((wraps) => ({ wraps }), {
    'pipenv rye': only('run', PLAIN),
    pixi: only('run', { options: 'manifest-path= e|environment= frozen locked' }),
    'rbenv pyenv nodenv': only('exec', PLAIN),
    nvm: only('exec', { options: 'silent', operands: 1 }),
    volta: only('run', {
      options: 'node= npm= pnpm= yarn= bundled-npm no-pnpm no-yarn verbose quiet',
    }),
    tox: only('exec', SEPARATED, 'c|conf= v|verbose q|quiet workdir='),
    devbox: only('run', { options: 'c|config= e|env= env-file=', separated: true }),
    corepack: PLAIN,
    concurrently: {
      options:
        'n|names= c|prefix-colors= p|prefix= m|max-processes= restart-tries= k|kill-others s|success= r|raw',
      texts: true,
    },
    nodemon: {
      options: 'x|exec= w|watch= e|ext= i|ignore= d|delay= C|cwd= V|verbose q|quiet',
      code: 'exec',
    },
    watchexec: {
      options: `
      w|watch= e|exts= i|ignore= f|filter= d|debounce= s|signal= shell= E|env= o|on-busy-update= r|restart
      c|clear=? n p|postpone v
    `,
      joins: true,
    },
    hyperfine: {
      options: `
      w|warmup= r|runs= m|min-runs= M|max-runs= p|prepare= s|setup= c|cleanup= C|conclude= S|shell= style=
      n|command-name= u|time-unit= export-json= export-markdown= export-csv= N i|ignore-failure
    `,
      texts: true,
      code: 'prepare',
    },
    reflex: {
      options: 'r|regex= R|inverse-regex= g|glob= G|inverse-glob= s|start-service d|decoration= all',
      separated: true,
    },
    onchange: {
      options: 'a|all e|exclude= k|kill i|initial d|delay= v|verbose',
      separated: true,
    },
    'nix-shell': {
      options: 'run|command= A|attr= I= E|expr= arg= argstr= p|packages= i= pure keep= q',
      code: 'command',
    },
    guix: { ...PLAIN, verbs: { shell: SEPARATED, environment: SEPARATED } },
  }),
  bundle: {
    wraps: only('exec', { options: 'keep-file-descriptors gemfile=' }),
    files: { runsPackages: true },
  },
}
