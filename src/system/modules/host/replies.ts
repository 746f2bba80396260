import { writeSync } from 'node:fs'
import { REPLIES_FD } from './protocol.ts'

const now = performance.now.bind(performance)
let notes = ''
let flushedMs = 0

/** One reply, written by hand: a `toJSON` on the prototype of all objects would change it. */
export function addReply(id: number, rest: string): void {
  endAnswers()
  notes += `{"id":${id},${rest}}\n`
}

/** The call after the last answer of the reply that is still being written; -1: there is no such reply. */
let nextCall = -1

/** Answers to calls that follow each other are one reply; a long one has a reply of its own. */
export function addAnswer(id: number, call: number, json: string): void {
  const isLong = json.length > ALONE_FROM_CHARACTERS
  if (call === nextCall && !isLong) notes += `,${json}`
  else {
    endAnswers()
    notes += `{"id":${id},"kind":"answers","from":${call},"answers":[${json}`
  }
  nextCall = call + 1
  if (isLong) endAnswers()
}

const ALONE_FROM_CHARACTERS = 1024

function endAnswers(): void {
  if (nextCall !== -1) notes += ']}\n'
  nextCall = -1
}

/** One write for many answers; but if one of the next calls hangs, few answers should be lost. */
export function flushIfLate(): void {
  if (notes.length > NOTES_MAX_CHARACTERS || now() - flushedMs > NOTES_MAX_MS) flush()
}

const NOTES_MAX_CHARACTERS = 64 * 1024
const NOTES_MAX_MS = 2

/** Called while the reader of the replies is slow. */
let onWait = () => {}

export function whileWaiting(call: () => void): void {
  onWait = call
}

export function flush(): void {
  endAnswers()
  flushedMs = now()
  if (notes === '') return
  const bytes = Buffer.from(notes, 'utf8')
  notes = ''
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(REPLIES_FD, bytes, written)
    } catch (error) {
      // The reader is slow; without a reader the third pipe ends the process.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      onWait()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
