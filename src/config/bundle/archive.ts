import { crc32, gunzipSync } from 'node:zlib'
import { bad, good, type Result } from '../../core/errors.ts'

/** The files of an archive, by path. */
export type ArchiveFiles = ReadonlyMap<string, Buffer>

/** More than a policy needs. A server must not be able to fill a disk or a memory. */
export const ARCHIVE_MAX_BYTES = 16 * 1024 * 1024
const CONTENT_MAX_BYTES = 64 * 1024 * 1024
const FILES_MAX = 2_000

const BLOCK = 512
const NAME_MAX = 100
/** Relative, with plain names, so that it means the same file on every machine. */
const PLAIN_PATH = /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.@+-]+(?:\/[\w.@+-]+)*$/

/** What is wrong with the path of a file, as the end of "The path … ". Undefined: nothing. */
export function pathFault(path: string): string | undefined {
  if (!PLAIN_PATH.test(path)) return 'may only have letters, digits, and . _ - @ + in its names'
  return path.length > NAME_MAX ? `is longer than ${NAME_MAX} characters` : undefined
}

/**
 * A tar.gz that is the same for the same files, on every machine and with every version of Node.js: sorted, without
 * times and owners. It is not compressed, because two versions of a compressor write different bytes.
 */
export function packArchive(files: ArchiveFiles): Buffer {
  const names = [...files.keys()].sort()
  const parts = names.flatMap((name) => {
    const content = files.get(name) ?? Buffer.alloc(0)
    return [header(name, content.length), content, Buffer.alloc(padding(content.length))]
  })
  return storedGzip(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]))
}

/** Only what `packArchive` and plain `tar` write: regular files with plain names, each one once. */
export function unpackArchive(bytes: Buffer): Result<ArchiveFiles> {
  if (bytes.length > ARCHIVE_MAX_BYTES) return invalid(`it has more than ${ARCHIVE_MAX_BYTES} bytes`)
  let tar: Buffer
  try {
    tar = gunzipSync(bytes, { maxOutputLength: CONTENT_MAX_BYTES })
  } catch (error) {
    return invalid(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`)
  }
  const files = new Map<string, Buffer>()
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK)
    if (head.every((byte) => byte === 0)) return good(files)
    const entry = readHeader(head)
    if (entry === undefined) return invalid(`there is no valid tar header at byte ${at}`)
    const { name, size, type } = entry
    const end = at + BLOCK + size
    if (end > tar.length) return invalid(`the file ${JSON.stringify(name)} is cut off`)
    at = end + padding(size)
    if (type === '5') continue
    if (type !== '0') return invalid(`${JSON.stringify(name)} is not a regular file`)
    const fault = pathFault(name)
    if (fault !== undefined) return invalid(`the path ${JSON.stringify(name)} ${fault}`)
    if (files.has(name)) return invalid(`the file ${name} is there twice`)
    if (files.size === FILES_MAX) return invalid(`it has more than ${FILES_MAX} files`)
    files.set(name, tar.subarray(end - size, end))
  }
  return invalid('its end is missing')
}

function invalid(why: string): Result<never> {
  return bad('BUNDLE_INVALID', `This is not a bundle: ${why}.`)
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, NAME_MAX)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${octal(size, 11)}\0`, 124)
  block.write(`${octal(0, 11)}\0`, 136)
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(`${octal(checksum(block), 6)}\0 `, 148)
  return block
}

function readHeader(
  block: Buffer,
): { readonly name: string; readonly size: number; readonly type: string } | undefined {
  const number = (from: number, length: number) => {
    const text = block.toString('latin1', from, from + length).replace(/[\0 ]+$/, '')
    return /^[0-7]+$/.test(text.trim()) ? Number.parseInt(text, 8) : undefined
  }
  const text = (from: number, length: number) => {
    const bytes = block.subarray(from, from + length)
    const end = bytes.indexOf(0)
    return bytes.toString('utf8', 0, end === -1 ? length : end)
  }
  const blank = Buffer.from(block)
  blank.fill(' ', 148, 156)
  const size = number(124, 12)
  if (size === undefined || number(148, 8) !== checksum(blank)) return undefined
  const prefix = text(345, 155)
  const name = `${prefix === '' ? '' : `${prefix}/`}${text(0, NAME_MAX)}`.replace(/^\.\//, '')
  return { name, size, type: text(156, 1) || '0' }
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

const STORED_MAX = 0xffff

function storedGzip(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])]
  for (let at = 0; at < content.length; at += STORED_MAX) {
    const piece = content.subarray(at, at + STORED_MAX)
    const head = Buffer.alloc(5)
    head.writeUInt8(at + STORED_MAX >= content.length ? 1 : 0)
    head.writeUInt16LE(piece.length, 1)
    head.writeUInt16LE(~piece.length & STORED_MAX, 3)
    parts.push(head, piece)
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(content))
  tail.writeUInt32LE(content.length, 4)
  return Buffer.concat([...parts, tail])
}
