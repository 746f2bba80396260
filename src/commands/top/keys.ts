/** Keys of a terminal, by the bytes that it sends. */
export type Key =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'up' | 'down' | 'left' | 'right' | 'pageUp' | 'pageDown' | 'home' | 'end' }
  | { readonly kind: 'enter' | 'escape' | 'tab' | 'backspace' | 'interrupt' }

const SEQUENCES: Readonly<Record<string, Key['kind']>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[5~': 'pageUp',
  '[6~': 'pageDown',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[4~': 'end',
  OH: 'home',
  OF: 'end',
}

const CONTROLS: Readonly<Record<string, Key['kind']>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u0004': 'interrupt',
}

/** One read may hold several keys, when somebody types fast or pastes. Sequences that are not known are dropped. */
export function keysIn(text: string): readonly Key[] {
  const keys: Key[] = []
  for (let rest = text; rest !== ''; ) {
    const [sequence = '', known] = /^\u001b(\[[0-9;]*[A-Za-z~]|O[A-Z])/.exec(rest) ?? []
    if (known !== undefined) {
      const kind = SEQUENCES[known]
      if (kind !== undefined) keys.push({ kind } as Key)
      rest = rest.slice(sequence.length)
      continue
    }
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    rest = rest.slice(char.length)
    const control = char === '\u001b' ? 'escape' : CONTROLS[char]
    if (control !== undefined) keys.push({ kind: control } as Key)
    else if (char >= ' ') keys.push({ kind: 'char', char })
  }
  return keys
}
