import type { ActEffect } from '../../vocabulary/effect.ts'
import { hasUnknown, type Word } from '../../words/words.ts'

const ACTS = {
  format: 'makes a new file system where another may be, with everything on it lost',
  erase: 'erases a whole disk or partition',
  partition: 'changes how a disk is divided, with what is on it lost',
  'remove-volume': 'removes a volume, pool or snapshot with everything on it',
  mount: 'changes how a file system is mounted',
  'make-device': 'makes a way to write onto a disk past its rights',
}

export function diskAct(name: keyof typeof ACTS, unsure?: string): ActEffect {
  const kind = name === 'mount' ? 'system-change' : 'data-destroy'
  return { kind, act: `disk/${name}`, what: ACTS[name], ...(unsure === undefined ? {} : { unsure }) }
}

/**
 * The act, where one of the words is a device: certain for one written out, a doubt for one known only at run time,
 * none where all are files (an image, a loop file).
 */
export function onDevice(name: keyof typeof ACTS, words: readonly Word[]): readonly ActEffect[] {
  if (words.some(isDevice)) return [diskAct(name)]
  const open = words.find((word) => word.forms.some((form) => hasUnknown(form)))
  return open === undefined ? [] : [diskAct(name, `${open.source} is known only at run time`)]
}

function isDevice(word: Word): boolean {
  return word.forms.some((form) => {
    const [first] = form
    return (
      first?.kind === 'text' &&
      /^(\/dev\/(?!null$|zero$|std|fd\/)|(PART)?(LABEL|UUID)=|disk\d|[A-Za-z]:)/.test(first.text)
    )
  })
}
