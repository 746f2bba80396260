import { isObject } from '../../core/json.ts'

/** A tool's output with the texts of hooks below it, as the model gets both. */
export function withTexts(output: unknown, texts: readonly string[]): unknown {
  if (texts.length === 0) return output
  const text = texts.join('\n\n')
  if (typeof output === 'string') return output === '' ? text : `${output}\n\n${text}`
  if (output === undefined || output === null) return text
  // Images and files: the SDK passes lists of them to the model.
  if (isContent(output)) return [output, textContent(text)]
  if (Array.isArray(output) && output.length > 0 && output.every(isContent))
    return [...output, textContent(text)]
  return `${JSON.stringify(output)}\n\n${text}`
}

function isContent(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string' && CONTENT.has(value.type)
}

const CONTENT: ReadonlySet<string> = new Set(['text', 'image', 'file'])

function textContent(text: string) {
  return { type: 'text', text } as const
}
