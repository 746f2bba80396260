import { isId, keyFor, withLine } from './names.mjs'

const HANDLERS = 'src/handlers'
const KINDS = 'src/core/handler-kinds.ts'

/**
 * The files of a new handler, as texts by their paths; or the problem.
 *
 * @example
 * newHandler(['queue'], repository)
 * // { files: { 'src/handlers/queue/handler.ts': …, … }, next: […] }
 */
export function newHandler([id = ''], { read, list }) {
  if (!isId(id)) return { problem: 'Name a handler in small letters: npm run new handler <name>' }
  const folder = `${HANDLERS}/${id}`
  if (list(folder).length > 0) return { problem: `${id} is a handler already: ${folder}. Change it there.` }
  const line = `${keyFor(id)}: () => import('./${id}/handler.ts'),`
  return {
    files: {
      [`${folder}/handler.ts`]: handlerText(id),
      [`${folder}/handler.test.ts`]: testText(id),
      [`${HANDLERS}/index.ts`]: withLine(read(`${HANDLERS}/index.ts`), 'HANDLERS', line),
      [KINDS]: withLine(read(KINDS), 'HANDLER_KINDS:', kindText(id)),
    },
    next: [
      `1. Say in ${folder}/handler.ts how such a hook runs, and in ${KINDS} its time and what must be pinned.`,
      `2. Write in ${folder}/handler.test.ts a hook for each case; add \`hangs\` if it waits for something.`,
      `3. Run: npm test -- ${folder}`,
      '4. To let people write it in config.yaml: src/config/sources/holdpoint-yaml/schema.ts and hooks.ts.',
    ],
  }
}

function kindText(id) {
  return `${keyFor(id)}: { timeoutMs: 2_000, namesCode: always, verb: 'runs', describe: byType },`
}

function handlerText(id) {
  return `import type { Handler, HandlerTools } from '../../core/handler.ts'
import { type Json, textAt } from '../../core/json.ts'
import { readAnswerOf } from '../read-answer.ts'

/** Answers with the text in \`answers\`: say here what it runs instead. */
export function create(_tools: HandlerTools): Handler {
  return {
    type: '${id}',
    prepare(hook) {
      const answers = textAt(hook.run, 'answers')
      if (answers === undefined) return { failure: 'import', message: 'it does not say what it \`answers\`' }
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

function testText(id) {
  return `import { hookOf } from '../../library/testing/hooks.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

const hook = (answers: string) => hookOf({ run: { type: '${id}', answers } })

handlerContract({
  handler: create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path }),
  denies: hook('{"decision":"block","reason":"not now"}'),
  passes: hook('null'),
  breaks: hook('{'),
  invalidOutput: hook('42'),
  missing: hookOf({ run: { type: '${id}' } }),
})
`
}
