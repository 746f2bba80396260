import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens the person's browser. If there is none, the link in the terminal is enough. */
export function openBrowser(link: string, platform: string): void {
  const [file = '', ...args] = OPENERS[platform] ?? ['xdg-open']
  spawn(file, [...args, link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
