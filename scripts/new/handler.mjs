import { isId, keyFor, textOf } from './names.mjs'

const HANDLERS = 'src/handlers'

/**
 * The files of a new handler, as texts by their paths; or the problem.
 *
 * @example
 * newHandler(['queue'], repository)
 * // { files: { 'src/handlers/queue/handler.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newHandler([id = ''], repository) {
  if (!isId(id)) return { problem: 'Name a handler in small letters: npm run new handler <name>' }
  const folder = `${HANDLERS}/${id}`
  if (repository.list(folder).length > 0)
    return { problem: `${id} is a handler already: ${folder}. Change it there.` }
  const line = `export { kind as ${keyFor(id)} } from './${id}/kind.ts'\n`
  return {
    files: {
      [`${folder}/handler.ts`]: handlerText(id),
      [`${folder}/kind.ts`]: kindText(id),
      [`${folder}/handler.test.ts`]: testText(id),
      [`${HANDLERS}/index.ts`]: textOf(repository, `${HANDLERS}/index.ts`) + line,
    },
    next: [
      `1. Say in ${folder}/kind.ts its time, its keys in a configuration and what must be pinned, and in handler.ts how it runs.`,
      `2. Write in ${folder}/handler.test.ts a hook for each case; add \`hangs\` if it waits for something.`,
      `3. Run: npm test -- ${folder}`,
      '4. Describe its keys in docs/reference/configuration.md, and run: npm run generate',
    ],
  }
}

/** @param {string} id */
function kindText(id) {
  return `import { type HandlerKind, typeWords } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 2_000,
  section: 'hooks',
  // Such a hook of a project waits for \`holdpoint trust\`. If it starts a program or a module, say which in \`starts\`.
  namesCode: () => true,
  verb: 'runs',
  describe: typeWords,
  written: {
    description: 'An answer that is always the same.',
    keys: {
      ${keyFor(id)}: { kind: 'text', accepted: 'an answer as JSON', description: 'The answer, as JSON.' },
    },
  },
}
`
}

/** @param {string} id */
function handlerText(id) {
  return `import type { Handler, HandlerTools } from '../../core/handler.ts'
import { type Json, textAt } from '../../core/json.ts'
import { readAnswerOf } from '../read-answer.ts'

/** Answers with the text in \`${id}\`: say here what it runs instead. */
export function create(_tools: HandlerTools): Handler {
  return {
    type: '${id}',
    prepare(hook) {
      const answers = textAt(hook.run, '${id}')
      if (answers === undefined) return { failure: 'import', message: 'it does not say what to answer' }
      return () => readAnswerOf(answerIn(answers), { kind: 'function' })
    },
  }
}

/** Throws if it is not JSON: that is a crash, and \`onFailure\` says what it means. */
function answerIn(text: string): Json {
  return JSON.parse(text)
}
`
}

/** @param {string} id */
function testText(id) {
  return `import { hookOf } from '../../library/testing/hooks.ts'
import { writtenRun } from '../../library/testing/written-run.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

const form = (answer: string) => ({ ${keyFor(id)}: answer })
const hook = (answer: string) => hookOf({ run: writtenRun(form(answer)) })

handlerContract({
  handler: create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path }),
  denies: hook('{"decision":"block","reason":"not now"}'),
  passes: hook('null'),
  breaks: hook('{'),
  invalidOutput: hook('42'),
  missing: hookOf({ run: { type: '${id}' } }),
  written: [form('null')],
})
`
}
