import { LEVELS, MODES, type Pack } from '../../../core/guard.ts'
import type { Json, JsonObject } from '../../../core/json.ts'
import { editorSchema } from '../../../core/pack-options.ts'
import { configJsonSchema } from './schema.ts'

/** What editors are told about a pack. */
export type NamedPack = Pick<Pack, 'id' | 'title' | 'options'> & {
  readonly guards: readonly Pick<Pack['guards'][number], 'id' | 'title' | 'undoable'>[]
}

/**
 * The JSON Schema of a configuration that knows the packs, guards, levels and options by name, so that an editor completes
 * them and marks `packs: { safty: true }`. A name that is not built in needs `from`.
 */
export function jsonSchemaWith(packs: readonly NamedPack[]): JsonObject {
  const schema = configJsonSchema() as JsonObject & {
    readonly properties: JsonObject
    readonly definitions: JsonObject
  }
  const { description } = schema.properties.packs as JsonObject
  const named = Object.fromEntries(packs.map((pack) => [pack.id, packSchemaOf(pack)]))
  const list = {
    type: 'object',
    properties: named,
    propertyNames: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]*$' },
    additionalProperties: otherPack(schema.definitions.pack as never),
  }
  return {
    ...schema,
    properties: {
      ...schema.properties,
      packs: { description: description ?? '', anyOf: [list, { type: 'null' }] },
    },
  }
}

/** A pack from a module or a package: its options are not known here. */
function otherPack({ oneOf }: { readonly oneOf: readonly JsonObject[] }): JsonObject {
  const options = oneOf.find(({ type }) => type === 'object')
  return {
    description: 'A pack of your own or of a package: `from` says where it is.',
    anyOf: [
      { type: 'boolean', enum: [false] },
      { ...options, required: ['from'] },
    ],
  }
}

function packSchemaOf({ title, options, guards }: NamedPack): JsonObject {
  const mode = (about: string): JsonObject => ({ description: about, type: 'string', enum: [...MODES] })
  return {
    description: title,
    oneOf: [
      { type: 'boolean', description: '`true`: enabled with the defaults. `false`: disabled in this file.' },
      {
        type: 'object',
        description: "The pack's options.",
        properties: {
          level: {
            description: 'How strict the pack is as a whole.',
            type: 'string',
            enum: [...LEVELS],
          },
          guards: {
            description: 'Single guards: id to deny, ask, warn or off. The strictest file wins.',
            type: 'object',
            properties: Object.fromEntries(guards.map((guard) => [guard.id, mode(guard.title)])),
            additionalProperties: false,
          },
          ...undoableIn(guards),
          ...Object.fromEntries(
            Object.entries(options ?? {}).map(([name, schema]) => [name, editorSchema(schema)]),
          ),
        },
        ...(options === undefined ? {} : { additionalProperties: false as Json }),
      },
    ],
  }
}

function undoableIn(guards: NamedPack['guards']): JsonObject {
  if (!guards.some(({ undoable }) => undoable === true)) return {}
  const description = '`ask`: you are asked about actions that can be undone, if the agent can ask.'
  return { undoable: { description, type: 'string', enum: ['ask', 'deny'] } }
}
