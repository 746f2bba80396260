import { describe, expect, it } from 'vitest'
import type { Facts } from '../../../../core/facts.ts'
import { type GuardMatch, isGuardMatch } from '../../../../core/guard.ts'
import { actorOf, bash, frozenFacts } from '../../../../library/testing/events.ts'
import { deleteRoot } from './delete-root.ts'

async function caughtBy(command: string, facts: Facts = frozenFacts()): Promise<GuardMatch | null> {
  const event = bash(command)
  const outcome = await deleteRoot.check({
    event,
    actor: actorOf(event),
    facts,
    options: {},
    memory: undefined,
  })
  return outcome !== null && isGuardMatch(outcome) ? outcome : null
}

describe('delete-root is certain and names the folder', () => {
  it.each([
    ['rm -rf /', 'deletes the whole file system (/)'],
    ['rm -rf ~', 'deletes the home folder (/home/dev)'],
    ['echo ${#$(rm -rf ~)}', 'deletes the home folder (/home/dev)'],
    ['rm -rf ~/*', 'deletes everything in the home folder (/home/dev)'],
    ['rm -rf .', 'deletes the project folder (/srv/project)'],
    ['rm -rf *', 'deletes everything in the project folder (/srv/project)'],
    ['rm -rf .*', 'deletes everything in the project folder (/srv/project)'],
    ['rm -rf ..', 'deletes a folder that contains the project (/srv)'],
    ['rm -rf /etc/nginx', 'deletes a system folder (/etc/nginx)'],
    ['rm -rf /etc/ng*', 'deletes parts of a system folder (/etc)'],
    ['rm -rf /et[a-d]', 'deletes a system folder (/etc)'],
    ['rm -rf /*/*', 'deletes everything in the whole file system (/)'],
    ['rm -rf /home/alice', 'deletes a whole home folder or volume (/home/alice)'],
    ['rm -rf /tmp/*', 'deletes everything in the shared temporary folder (/tmp)'],
    ['rm -rf ~/.ssh', 'deletes a main folder in the home folder (/home/dev/.ssh)'],
    ['cd / && rm -rf etc', 'deletes a system folder (/etc)'],
    ['if x; then D=/; else D=build; fi; rm -rf $D', 'deletes the whole file system (/)'],
    ['find . -delete', 'deletes the project folder (/srv/project)'],
    ["find / -not -name '*.x' -delete", 'deletes the whole file system (/)'],
    ["find ~ -name '*' -delete", 'deletes the home folder (/home/dev)'],
    ["find / -name '*.log' -delete", 'deletes parts of the whole file system (/)'],
    ['find . -name a -o -type f -delete', 'deletes the project folder (/srv/project)'],
    ["find . -delete -name '*.pyc'", 'deletes the project folder (/srv/project)'],
  ])('%s', async (command, caught) => {
    expect(await caughtBy(command)).toMatchObject({ caught })
    expect((await caughtBy(command))?.unsure).toBeUndefined()
  })
})

describe('delete-root is unsure', () => {
  it.each([
    'rm -rf $X',
    'rm -rf "$X"/*',
    'rm -rf "$X/bin"',
    'rm -rf /$X',
    'rm -rf ./$X',
    'rm -rf /home/$X',
    'cd "$X"; rm -rf *',
    'cd "$X"; rm -rf ..',
    'rm $FLAGS /',
    '$TOOL -rf /',
    'ls | xargs rm -rf',
    "find /var -name '*.gz' -delete",
    'find / -name .DS_Store -delete',
    'find . -name "$X" -delete',
  ])('%s', async (command) => {
    const caught = await caughtBy(command)
    expect(caught?.unsure).toMatch(/./)
  })
})

describe('delete-root ignores', () => {
  it.each([
    'rm $FILE',
    'rm $FLAGS build',
    '$TOOL -rf build',
    'rm -rf "$X/node_modules"',
    'rm -rf build-$X',
    'cd "$X"; rm -rf dist',
    'rm -rf ../sibling',
    'rm -rf /opt/tool/cache',
    'rm -rf /var/tmp/x /dev/shm/x /var/cache/x /usr/local/lib/x',
    'rm -rf ~/code/other',
    'rm -rf */dist',
    'find ~ -name .DS_Store -delete',
    'find . -mtime +30 -delete',
    'find . -name a -o -name b -delete',
    'find ~ -name x',
  ])('%s', async (command) => {
    expect(await caughtBy(command)).toBeNull()
  })
})

describe('delete-root follows links', () => {
  const links: Readonly<Record<string, string>> = { '/srv/project/up': '/', '/srv/project/h': '/home/dev' }
  const realpath = (path: string): string => {
    const link = Object.keys(links).find((each) => path === each || path.startsWith(`${each}/`))
    return link === undefined ? path : `${links[link]}${path.slice(link.length)}`.replace(/^\/\//, '/')
  }
  const facts = frozenFacts({ realpath })

  it.each([
    ['rm -rf up/etc', true],
    ['rm -rf up/', true],
    ['rm -rf h/.', true],
    ['rm -rf up', false],
    ['rm -rf h/code/x', false],
    ['rm -rf up/*', true],
    ['rm -rf h/*', true],
    ['find up/ -delete', true],
    ['rm up/etc/passwd', true],
  ])('%s: %s', async (command, stopped) => {
    expect((await caughtBy(command, facts)) !== null).toBe(stopped)
  })
})

it('protects a project below the temporary folder, but not the files in it', async () => {
  const facts = frozenFacts({ project: '/tmp/build/app', cwd: '/tmp/build/app' })
  expect(await caughtBy('rm -rf .', facts)).not.toBeNull()
  expect(await caughtBy('rm -rf ..', facts)).not.toBeNull()
  expect(await caughtBy('rm -rf dist', facts)).toBeNull()
})

describe('delete-root treats a path as temporary', () => {
  it('only if the home folder is not inside it', async () => {
    const facts = frozenFacts({ home: '/tmp/home/dev' })
    expect(await caughtBy('rm -rf ~', facts)).not.toBeNull()
    expect(await caughtBy('rm -rf /tmp/home', facts)).not.toBeNull()
    expect(await caughtBy('rm -rf ~/Documents', facts)).not.toBeNull()
    expect(await caughtBy('rm -rf /tmp/x', facts)).toBeNull()
  })

  it.each(['/home/dev', '/home/dev/', '/', '/srv/project', '/tmp/../etc'])(
    'but never %s, even if TMPDIR says so',
    async (folder) => {
      const facts = frozenFacts({ env: { TMPDIR: folder } })
      expect(await caughtBy('rm -rf "$TMPDIR"', facts)).not.toBeNull()
      expect(await caughtBy('rm -rf $TMPDIR/*', facts)).not.toBeNull()
      expect(await caughtBy('rm -rf /tmp/x', facts)).toBeNull()
    },
  )
})

it.each([
  ['ssh build.example.com "rm -rf /srv/project"', false],
  ['ssh build.example.com "rm -rf /"', true],
  ['ssh build.example.com "rm -rf /etc/nginx"', true],
])('judges a command on another machine without the local project: %s', async (command, stopped) => {
  expect((await caughtBy(command)) !== null).toBe(stopped)
})

it.each([
  ['/', 'rm -rf etc'],
  ['/', 'rm -rf /usr/lib'],
  ['/etc', 'rm -rf nginx'],
  ['/home/dev', 'rm -rf Documents'],
  ['/home', 'rm -rf dev'],
])('does not treat %s as a project: %s', async (folder, command) => {
  expect(await caughtBy(command, frozenFacts({ project: folder, cwd: folder }))).not.toBeNull()
})

it('allows deletions inside a project that is below a system folder', async () => {
  const facts = frozenFacts({ project: '/var/www/site', cwd: '/var/www/site' })
  expect(await caughtBy('rm -rf dist', facts)).toBeNull()
  expect(await caughtBy('rm -rf .', facts)).not.toBeNull()
})

it('does not treat an unknown home folder as an empty word', async () => {
  expect(await caughtBy('rm -rf ~', frozenFacts({ home: '' }))).not.toBeNull()
})

it('says how a nested command was reached', async () => {
  const caught = await caughtBy(`sudo bash -c 'rm -rf /'`)
  expect(caught).toMatchObject({ fragment: 'rm -rf /', detail: { via: ['sudo', 'bash -c'], path: '/' } })
})
