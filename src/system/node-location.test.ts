import { describe, expect, it } from 'vitest'
import { locateNode } from './node-location.ts'

describe('the search for another Node', () => {
  it.each([
    ['nvm', '/home/dev/.nvm/versions/node/v20.19.0/bin/node', '/home/dev/.nvm/versions/node/*/bin/node'],
    ['n', '/opt/n/n/versions/node/22.1.0/bin/node', '/opt/n/n/versions/node/*/bin/node'],
    [
      'fnm',
      '/home/dev/.local/share/fnm/node-versions/v22.1.0/installation/bin/node',
      '/home/dev/.local/share/fnm/node-versions/*/installation/bin/node',
    ],
    [
      'volta',
      '/home/dev/.volta/tools/image/node/20.19.0/bin/node',
      '/home/dev/.volta/tools/image/node/*/bin/node',
    ],
    [
      'asdf',
      '/home/dev/.asdf/installs/nodejs/20.19.0/bin/node',
      '/home/dev/.asdf/installs/nodejs/*/bin/node',
    ],
    [
      'mise',
      '/home/dev/.local/share/mise/installs/node/22.1.0/bin/node',
      '/home/dev/.local/share/mise/installs/node/*/bin/node',
    ],
    ['Homebrew', '/opt/homebrew/Cellar/node@22/22.1.0/bin/node', '/opt/homebrew/Cellar/node@22/*/bin/node'],
  ])('finds the other versions of %s', (_name, node, others) => {
    expect(locateNode(node)).toEqual({ node, others: [others] })
  })

  it.each(['/usr/bin/node', '/home/dev/node', '/nix/store/abc-nodejs-20/bin/node'])(
    '%s: of no known manager, so only system folders are left',
    (node) => {
      expect(locateNode(node)).toEqual({ node, others: [] })
    },
  )
})
