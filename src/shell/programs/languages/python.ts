import { wordList } from '../../../core/word-list.ts'
import { exactForm, textPiece } from '../../words/words.ts'
import { interpreterSource } from '../aspects/code-source.ts'
import { type Interpreter, interpreter } from '../aspects/interpreter.ts'
import { filesCalled, operandFiles } from '../aspects/script-files.ts'
import { startedScript } from '../aspects/started-by.ts'
import { pythonServer } from '../network/servers.ts'
import { type ProgramTable, program } from '../program.ts'

const LANGUAGE = interpreter('python', {
  code: 'c',
  valued: 'WX',
  other: 'mVh',
  longValued: /^--check-hash-based-pycs$/,
})
const VERSIONS = wordList('2 2.7 3 3.8 3.9 3.10 3.11 3.12 3.13 3.14').map((version) => `python${version}`)

export const python = program(['python', ...VERSIONS, 'pypy pypy3 py'].join(' '), {
  does: pythonServer,
  interprets: LANGUAGE,
  codeFrom: interpreterSource,
  startedBy: startedScript,
  files: { code: true },
  passesOn: true,
})

/** A line that begins with `!` goes to a shell. */
const IPYTHON: Interpreter = {
  ...LANGUAGE,
  find: (args) => {
    const found = LANGUAGE.find(args)
    const code = found.code.map((form) => {
      const text = exactForm(form)
      return text === undefined ? form : [textPiece(text.replace(/^[ \t]*!(.+)$/gm, "os.system(r'''$1 ''')"))]
    })
    return { ...found, code }
  },
}

export const ipython = program('ipython ipython3', { interprets: IPYTHON })

/** Programs that run the Python of a project. */
export const PYTHON_RUNNERS: ProgramTable = {
  'pytest py.test nose2 green': { scripts: { files: operandFiles, language: 'python' } },
  'inv invoke fab': { scripts: { files: filesCalled('tasks.py', 'fabfile.py'), language: 'python' } },
}
