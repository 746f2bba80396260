import * as z from 'zod'
import type { RunForm, RunKey, TextRule } from '../../../core/handler-kind.ts'
import type { HandlerSpec } from '../../../core/hook.ts'
import type { JsonObject } from '../../../core/json.ts'
import { HANDLER_KINDS } from '../../../handlers/kind-of.ts'
import { commandLine, mapping, oneOf, text, yesOrNo } from './schema-words.ts'

/** The handlers that can be written, by their first keys. */
const FORMS: readonly (readonly [type: string, form: RunForm, first: string])[] = Object.entries(
  HANDLER_KINDS,
)
  .flatMap(([type, { written }]) => (written === undefined ? [] : [[type, written] as const]))
  .map(([type, form]) => [type, form, Object.keys(form.keys)[0] ?? ''] as const)
  .toSorted(([, , a], [, , b]) => (a < b ? -1 : 1))

const named = FORMS.map(([, , first]) => `\`${first}\``)

/** `run` of a hook: a text, or the keys that one handler declares. */
export const runSchema = z
  .xor(
    [
      commandLine('a command').describe(
        'A script file (`./policy/headers.ts`): short for `{ module: ... }`. Anything else: short for `{ command: ... }`.',
      ),
      ...FORMS.map(([, form, first]) => schemaOf(form, first)),
    ],
    { error: `a command, or a mapping with ${named.slice(0, -1).join(', ')} or ${named.at(-1)}` },
  )
  .describe('What to run. In project files it only runs after `holdpoint trust`.')

/** What the engine gets for a `run` that the schema accepts, and what is probably not meant in it. */
export function readWrittenRun(
  run: string | JsonObject,
  root: string,
): { readonly run: HandlerSpec; readonly doubts: ReturnType<NonNullable<RunForm['doubts']>> } {
  const [type, form, first] = formOf(run)
  const keys = typeof run === 'string' ? { [first]: run } : run
  const read = form.read?.(keys, root) ?? { ...keys, root }
  return { run: { type, ...read }, doubts: form.doubts?.(keys) ?? [] }
}

function formOf(run: string | JsonObject): (typeof FORMS)[number] {
  const found =
    typeof run === 'string'
      ? (FORMS.find(([, { short }]) => short instanceof RegExp && short.test(run)) ??
        FORMS.find(([, { short }]) => short === 'otherwise'))
      : FORMS.find(([, , first]) => Object.hasOwn(run, first))
  if (found === undefined) throw new Error('The schema accepts no other forms.')
  return found
}

function schemaOf(form: RunForm, first: string): z.ZodType<JsonObject> {
  const shape = Object.fromEntries(
    Object.entries(form.keys).map(([name, key]) => {
      const schema = keySchema(key)
      return [name, (name === first ? schema : schema.exactOptional()).describe(key.description)]
    }),
  )
  const keys = mapping(shape) as unknown as z.ZodType<JsonObject>
  const { mistakeIn } = form
  if (mistakeIn === undefined) return keys.describe(form.description)
  return keys
    .superRefine((run, context) => {
      const mistake = mistakeIn(run)
      if (mistake !== undefined)
        context.addIssue({ code: 'custom', path: [mistake.key], message: mistake.accepted })
    })
    .describe(form.description)
}

function keySchema(key: RunKey): z.ZodType {
  switch (key.kind) {
    case 'text':
      return text(key.accepted)
    case 'line':
      return commandLine(key.accepted)
    case 'lines':
      return z.array(
        z.string({ error: 'a text' }).regex(/^[^\u0000]*$/, { error: 'a text without NUL characters' }),
        { error: key.accepted },
      )
    case 'flag':
      return yesOrNo()
    case 'choice':
      return oneOf(key.of)
    case 'list':
      return z.array(text(key.each.accepted).regex(key.each.pattern, { error: key.each.accepted }), {
        error: key.accepted,
      })
    case 'mapping':
      return z.record(
        wordSchema(key.key),
        z.string({ error: 'a text' }).regex(key.value.pattern, { error: key.value.accepted }),
        {
          error: key.accepted,
        },
      )
  }
}

function wordSchema({ pattern, accepted, not }: TextRule) {
  const word = z.string().regex(pattern, { error: accepted })
  if (not === undefined) return word
  return word.refine((name) => !not.words.has(name.toLowerCase()), { error: not.accepted })
}
