import type { Caller } from './caller.ts'
/** What a person types at this terminal, not shown while they do. Empty where they gave up (Ctrl-C, Ctrl-D). */
export function typedSecret(caller: Caller, prompt: string): Promise<string> {
  const { stdin, stdout } = caller
  // Before the prompt: who types or pastes at once would see the secret on the screen.
  stdin.setRawMode?.(true)
  stdout.write(prompt)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve) => {
    let typed = ''
    const finish = (text: string) => {
      stdin.off('data', take)
      stdin.off('end', giveUp)
      stdin.setRawMode?.(false)
      stdin.pause()
      stdout.write('\n')
      resolve(text)
    }
    const giveUp = () => finish('')
    const take = (keys: string) => {
      for (const key of keys) {
        if (key === '\r' || key === '\n') return finish(typed)
        if (key === '\u0003' || key === '\u0004') return giveUp()
        if (key === '\u007f' || key === '\b') typed = [...typed].slice(0, -1).join('')
        else if (key >= ' ' && typed.length < LENGTH_MAX) typed += key
      }
    }
    stdin.on('data', take)
    stdin.on('end', giveUp)
  })
}

const LENGTH_MAX = 1_000
