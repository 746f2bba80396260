import { type FilePlace, knownTextAt } from '../expand/line-files.ts'
import type { Language } from '../vocabulary/command.ts'
import { baseName } from '../words/paths.ts'
import { exactForm, exactText, exactWord, type Form, type Word } from '../words/words.ts'

/** How a language names a file that it loads, and the endings it tries. */
const LOADS: Readonly<
  Partial<Record<Language, { readonly names: RegExp; readonly endings: readonly string[] }>>
> = {
  python: {
    names: /^[ \t]*(?:import|from)[ \t]+([\w.]+)/gm,
    endings: ['.py', '/__init__.py', '/__main__.py'],
  },
  javascript: {
    names: /(?:\brequire\s*\(|\bimport\s*\(?|\bfrom)\s*["'`](\.{0,2}\/[^"'`\n]+)["'`]/g,
    endings: ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '/index.js', '/index.ts'],
  },
  ruby: { names: /\b(?:require_relative|load|require)\s*\(?\s*["']([^"'\n]+)["']/g, endings: ['', '.rb'] },
  php: { names: /\b(?:include|require)(?:_once)?\s*\(?\s*["']([^"'\n]+)["']/g, endings: [''] },
  perl: { names: /\b(?:require|do)\s+["']([^"'\n]+)["']|^\s*use\s+(\w+);/gm, endings: ['', '.pm'] },
  lua: { names: /\b(?:require|dofile)\s*\(?\s*["']([^"'\n]+)["']/g, endings: ['', '.lua'] },
}

const MODULES_MAX = 16

/** What code loads from other files of this line or session runs as well: their texts, and those that they load. */
export function withModules(
  language: Language,
  code: readonly Form[],
  script: Word | undefined,
  place: FilePlace,
): readonly Form[] {
  const loads = LOADS[language]
  if (loads === undefined || place.files.size === 0) return code
  const all = [...code]
  const seen = new Set<string>()
  for (let at = 0; at < all.length && all.length < MODULES_MAX; at += 1) {
    for (const name of namesIn(exactForm(all[at] ?? []) ?? '', loads.names)) {
      if (seen.has(name)) continue
      seen.add(name)
      all.push(...moduleTexts(language, name, loads.endings, script, place))
    }
  }
  return all
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, first, second]) => first ?? second ?? '')
}

function moduleTexts(
  language: Language,
  name: string,
  endings: readonly string[],
  script: Word | undefined,
  place: FilePlace,
): readonly Form[] {
  const path = language === 'python' ? name.replaceAll('.', '/') : name
  const text = exactText(script) ?? ''
  const folder = text.slice(0, text.length - baseName(text).length)
  const tried = new Set(endings.flatMap((ending) => [`${folder}${path}${ending}`, `${path}${ending}`]))
  return [...tried].flatMap((each) => knownTextAt(exactWord(each), place) ?? [])
}
