import { exactText } from '../../words/words.ts'
import { interpreterSource } from '../aspects/code-source.ts'
import { type InterpreterArguments, interpreter } from '../aspects/interpreter.ts'
import { operandFiles } from '../aspects/script-files.ts'
import { startedScript } from '../aspects/started-by.ts'
import { phpServer } from '../network/servers.ts'
import type { ProgramTable } from '../program.ts'
import { SCHEDULE } from '../system/acts.ts'
import { changedInPlace, inPlace } from '../text/sed.ts'

const OSASCRIPT = interpreter('applescript', { code: 'e', valued: 'ls' })
const LUA = interpreter('lua', { code: 'e', valued: 'l' })

/** Languages whose code may stand on the command line, and is read. */
export const SCRIPTING: ProgramTable = {
  perl: {
    interprets: interpreter('perl', { code: 'eE', attached: 'MmIFixDV', other: 'vh' }),
    codeFrom: interpreterSource,
    files: { code: true, inPlace },
    leaves: changedInPlace,
  },
  ruby: {
    interprets: interpreter('ruby', { code: 'e', valued: 'CEIr', attached: 'iFKTWx', other: 'vh' }),
    codeFrom: interpreterSource,
    startedBy: startedScript,
    files: { code: true, inPlace },
  },
  rspec: { scripts: { files: operandFiles, language: 'ruby' } },
  php: {
    does: phpServer,
    interprets: interpreter('php', {
      code: 'rRBE',
      valued: 'dczS',
      other: 'vhim',
      long: /^--(run|process-begin|process-code|process-end)$/,
    }),
    codeFrom: interpreterSource,
    startedBy: startedScript,
    files: { code: true },
  },
  phpunit: { scripts: { files: operandFiles, language: 'php' } },
  'lua lua5.3 lua5.4': { interprets: LUA, codeFrom: interpreterSource, files: { code: true } },
  luajit: {
    interprets: interpreter('lua', { code: 'e', valued: 'l', attached: 'jO' }),
    codeFrom: interpreterSource,
  },
  Rscript: {
    interprets: interpreter('r', { code: 'e' }),
    codeFrom: interpreterSource,
    files: { code: true },
  },
  R: { interprets: interpreter('r', { code: 'e', valued: 'f' }) },
  osascript: {
    interprets: {
      ...OSASCRIPT,
      // `-l JavaScript`
      find: (args): InterpreterArguments => {
        const found = OSASCRIPT.find(args)
        const isScript = args.some((word) => /^(?:-l)?javascript$/i.test(exactText(word) ?? ''))
        return isScript ? { ...found, language: 'javascript' } : found
      },
    },
    codeFrom: interpreterSource,
    files: { code: true },
    lines: [
      [
        { ...SCHEDULE, what: 'makes something start whenever somebody logs in' },
        /\bmake\s+(?:new\s+)?login\s+item\b|\bLoginItem\s*\(/i,
      ],
    ],
  },
}
