import { exactText } from '../../words/words.ts'
import { interpreterSource } from '../aspects/code-source.ts'
import type { FileUse } from '../aspects/file-use.ts'
import { interpreter } from '../aspects/interpreter.ts'
import { operandFiles } from '../aspects/script-files.ts'
import { startedScript } from '../aspects/started-by.ts'
import { type ProgramTable, program } from '../program.ts'

export const NODE_INTERPRETER = interpreter('javascript', {
  code: 'ep',
  valued: 'rC',
  other: 'vhc',
  long: /^--(eval|print)$/,
  longValued: /^--(require|import|loader|experimental-loader|conditions|env-file|title|input-type)$/,
})

/** `node -r dotenv/config` loads the settings beside it. */
export const dotenvSettings: NonNullable<FileUse['settings']> = (args) =>
  args.some((word) => exactText(word) === 'dotenv/config') ? { file: '.env', loaded: true } : undefined

export const node = program('node nodejs tsx ts-node', {
  interprets: NODE_INTERPRETER,
  codeFrom: interpreterSource,
  startedBy: startedScript,
  fetchesCode: true,
  files: { code: true, settings: dotenvSettings },
})

export const NODE_RUNNERS: ProgramTable = {
  'vitest jest mocha ava tap jasmine zx': { scripts: { files: operandFiles, language: 'javascript' } },
}
