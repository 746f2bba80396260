import { describe, expect, it } from 'vitest'
import { spellPath } from '../../shell/vocabulary/effect.ts'
import { resolveForm } from '../../shell/words/paths.ts'
import { patternForm } from '../../shell/words/words.ts'
import { onDisk, onDiskForm } from './on-disk.ts'

const MAC = {
  platform: 'darwin',
  home: '/Users/Dev',
  project: '/Users/Dev/Work/Shop',
  cwd: '/Users/Dev/Work/Shop',
}

describe('a path as the disk has it', () => {
  it.each([
    ['/ETC/hosts', '/etc/hosts'],
    ['/private/etc/hosts', '/etc/hosts'],
    ['/PRIVATE/Etc', '/etc'],
    ['/private/tmp/x', '/tmp/x'],
    ['/privateer/etc', '/privateer/etc'],
    ['/private', '/private'],
    ['/system/library', '/System/Library'],
    ['/dev/DISK2', '/dev/disk2'],
    ['/users/DEV', '/Users/Dev'],
    ['/users/alice/DOCUMENTS', '/Users/alice/Documents'],
    ['/Users/Dev/.ZSHRC', '/Users/Dev/.zshrc'],
    ['/users/dev/library/launchagents/X.plist', '/Users/Dev/Library/LaunchAgents/x.plist'],
    ['/USERS/dev/work/shop/SRC', '/Users/Dev/Work/Shop/src'],
    ['/', '/'],
  ])('%s is %s', (written, found) => {
    expect(onDisk(written, MAC)).toBe(found)
  })

  it('is the path as written where capitals make another file', () => {
    expect(onDisk('/ETC/hosts', { ...MAC, platform: 'linux' })).toBe('/ETC/hosts')
    expect(onDisk('/private/etc', { ...MAC, platform: 'linux' })).toBe('/private/etc')
  })

  it('is a folder below /private of its own, where the project lies in one', () => {
    const place = { ...MAC, project: '/private/tmp/Shop', cwd: '/private/tmp/Shop' }
    expect(onDisk('/tmp/shop/Src', place)).toBe('/private/tmp/Shop/src')
  })

  it('folds the folders before a pattern, never the pattern', () => {
    const form = (text: string) => resolveForm(patternForm(text), { cwd: MAC.cwd, home: MAC.home })
    const spelled = (text: string) => {
      const found = onDiskForm(form(text), MAC)
      return found === undefined ? undefined : spellPath(found)
    }
    expect(spelled('/USERS/*')).toBe('/Users/*')
    expect(spelled('/ETC/A*/B')).toBe('/etc/A*/B')
    expect(spelled('/Users/*')).toBeUndefined()
  })
})
