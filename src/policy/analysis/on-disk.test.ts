import { describe, expect, it } from 'vitest'
import { spellPath } from '../../shell/vocabulary/effect.ts'
import { resolveForm } from '../../shell/words/paths.ts'
import { patternForm } from '../../shell/words/words.ts'
import { onDisk, onDiskForm } from './on-disk.ts'

const MAC = {
  platform: 'darwin',
  home: '/Users/dev',
  project: '/Users/dev/Work/Shop',
  cwd: '/Users/dev/Work/Shop',
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
    ['/USERS/DEV', '/Users/dev'],
    ['/users/alice/DOCUMENTS', '/Users/alice/Documents'],
    ['/Users/dev/.ZSHRC', '/Users/dev/.zshrc'],
    ['/users/dev/library/launchagents/X.plist', '/Users/dev/Library/LaunchAgents/x.plist'],
    ['/USERS/dev/work/shop/SRC', '/Users/dev/Work/Shop/src'],
    ['/System/Volumes/Data/Users/dev/.zshrc', '/Users/dev/.zshrc'],
    ['/system/volumes/data/private/etc/hosts', '/etc/hosts'],
    ['/System/Volumes/Preboot', '/System/Volumes/preboot'],
    ['/Volumes/Macintosh HD', '/'],
    ['/Volumes/Macintosh HD/Users/dev', '/Users/dev'],
    ['/Users/dev/.\u017fsh', '/Users/dev/.ssh'],
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
