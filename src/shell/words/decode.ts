/** Texts written in another alphabet, back into what they say. Undefined when it is no such text. */

export function decodeBase64(text: string): string | undefined {
  const digits = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    return fromBytes(Array.from(atob(digits), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

export function decodeHex(text: string): string | undefined {
  const digits = text.replace(/\s|\\x/g, '')
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return undefined
  return fromBytes((digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function decodeBase32(text: string): string | undefined {
  const digits = text.replace(/\s/g, '').replace(/=+$/, '')
  if (!/^[A-Z2-7]*$/.test(digits)) return undefined
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const digit of digits) {
    held = (held << 5) | BASE32.indexOf(digit)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 0xff)
      held &= (1 << bits) - 1
    }
  }
  return fromBytes(bytes)
}

/** Little-endian UTF-16, as PowerShell wants its encoded commands. */
export function decodeUtf16(text: string): string | undefined {
  try {
    const bytes = Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-16le').decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

function fromBytes(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
