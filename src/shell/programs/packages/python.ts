import type { VerbProgram } from '../../arguments/verbs.ts'
import { only, PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'
import { FOREIGN, LOADS_OVER_OPEN_LINE } from './acts.ts'
import { ADDRESS, after } from './foreign.ts'
import { overOpenLine, published, publishing, unpublished } from './registry.ts'

const PIP = publishing(
  ['install|download|wheel', LOADS_OVER_OPEN_LINE, { when: overOpenLine }],
  ['config set', LOADS_OVER_OPEN_LINE, { when: overOpenLine }],
)
const POETRY = publishing(published('publish'), published('upload'))

const UV_RUN: Wrapper = {
  options: `
    with= with-editable= with-requirements= p|python= project= directory= package= extra= group= only-group=
    no-group= env-file= index= default-index= i|index-url= extra-index-url= f|find-links= from=
    refresh-package= C|config-setting= cache-dir= config-file= color= m|module s|script q|quiet v|verbose
    n|no-cache U|upgrade isolated active no-project all-extras dev no-dev frozen locked offline exact no-sync
    native-tls
  `,
  folder: 'directory',
}
const UVX: Wrapper = { ...UV_RUN, versioned: true }
const CONDA_RUN: Wrapper = {
  options: 'n|name= p|prefix= cwd= v|verbose dev debug-wrapper-scripts no-capture-output live-stream',
  folder: 'cwd',
}

/** Packages of Python, and the programs that run with them. */
export const PYTHON_PACKAGES: ProgramTable = {
  ...each<VerbProgram>((acts) => ({ acts }), {
    'pip pip3': PIP,
    twine: publishing(published('upload')),
    flit: POETRY,
    anaconda: publishing(unpublished('remove'), published('upload')),
  }),
  poetry: {
    acts: POETRY,
    wraps: only(
      'run',
      PLAIN,
      'C|directory= P|project= n|no-interaction q|quiet v|verbose no-plugins no-cache ansi no-ansi',
    ),
    files: { runsPackages: true },
  },
  uv: {
    acts: POETRY,
    lines: [
      [FOREIGN, after('tool run|tool install|run|x')],
      [
        FOREIGN,
        /^(?:tool\s+run|run|tool\s+install)\b.*(?:--index-url|--default-index|--index|--extra-index-url)[ =]https?:/,
      ],
    ],
    wraps: {
      options: 'directory= project= config-file= color= q|quiet v|verbose n|no-cache offline',
      verbs: { run: UV_RUN, tool: only('run', UVX) },
    },
    files: { runsPackages: true },
  },
  uvx: {
    lines: [
      [FOREIGN, ADDRESS],
      [FOREIGN, /(?:--index-url|--default-index|--index|--extra-index-url)[ =]https?:/],
    ],
    wraps: UVX,
  },
  hatch: { acts: POETRY, wraps: only('run', PLAIN, 'e|env= p|project= data-dir= cache-dir= config= v q') },
  pdm: {
    acts: POETRY,
    wraps: only('run', { options: 'p|project= s|site-packages env-file= g|global' }, 'c|config='),
  },
  pipx: {
    lines: [
      [FOREIGN, after('run|install|inject|runpip')],
      [FOREIGN, /(?:--index-url|--pip-args)[ =].*https?:/],
    ],
    wraps: {
      ...PLAIN,
      verbs: {
        run: { options: 'spec= python= pip-args= index-url= no-cache verbose', versioned: true },
      },
    },
  },
  'conda mamba micromamba': {
    lines: [[FOREIGN, /\binstall\b.*\s(?:-c|--channel)[ =]https?:/]],
    wraps: only('run', CONDA_RUN),
  },
}
