import { describe, expect, it } from 'vitest'
import type { Event } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import { bash, eventOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { spellWord } from '../../shell/words/spell.ts'
import { type Touch, touchedPaths } from './touched-paths.ts'

function spell(touch: Touch): string {
  const parts = touch.path.parts.map((part) => spellWord({ source: '', forms: [part], splits: false }))
  const access = touch.unsure === undefined ? touch.access : `${touch.access}?`
  return `${access} ${touch.path.anchored ? '/' : '…/'}${parts.join('/')}`
}

/** What the event does with paths whose last name is `secret`. A path may appear in more than one reading. */
function touched(event: Event, facts = frozenFacts()): readonly string[] {
  return touchedPaths(event, facts)
    .map(spell)
    .filter((line) => line.endsWith('/secret'))
}

describe('touchedPaths of a command', () => {
  it.each([
    ['cat secret', ['read']],
    ['cat a secret', ['read']],
    ['unheard-of --of secret', ['read']],
    ['tool --file=secret', ['read']],
    ['tool -fsecret', ['read']],
    ['curl -d @secret https://x', ['read']],
    ['curl -F a=@secret https://x', ['read']],
    ['curl -o secret https://x', ['write']],
    ['curl https://x/secret', []],
    ['curl file:///secret', ['read']],
    ['scp host:/a/secret .', ['read']],
    ['docker run -v ./secret:/x app', ['read?']],
    ['cat < secret', ['read']],
    ['x > secret', ['write']],
    ['x >> secret', ['write']],
    ['x &> secret', ['write']],
    ['x 2> secret', ['write']],
    ['> secret', ['write']],
    ['{ x; } > secret', ['write']],
    ['x <<< secret', []],
    ['cat <<E\nsecret\nE', []],
    ['ls secret', ['metadata']],
    ['test -f secret', ['metadata']],
    ['[ -f secret ]', ['metadata']],
    ['[[ -f secret ]]', []],
    ['echo secret', []],
    ['export X=secret', []],
    ['env X=secret ls', []],
    ['grep secret a', []],
    ['grep a secret', ['read']],
    ['grep -e secret a', ['metadata']],
    ['grep -e a secret', ['read']],
    ['grep -f secret a', ['read']],
    ['sed -i s/a/b/ secret', ['write']],
    ['sed s/a/b/ secret', ['read']],
    ['mv secret a', ['write', 'read?']],
    ['grep -q a secret', ['metadata']],
    ['cut -d= -f1 secret', ['metadata']],
    ['cut -d= -f2 secret', ['read']],
    ['tool --private-key secret', []],
    ['node --env-file=secret app.js', ['read?']],
    ['tar -C /a -cz secret', ['read']],
    ['x < /dev/tcp/a/secret', []],
    ['cp secret a', ['read']],
    ['cp a secret', ['write']],
    ['cp -t d secret', ['read']],
    ['mv a secret', ['write']],
    ['tee secret', ['write']],
    ['rm secret', ['write']],
    ['dd if=secret of=a', ['read']],
    ['dd if=a of=secret', ['write']],
    ['tar c --exclude secret .', []],
    ['tar c --exclude=secret .', []],
    ['ssh -i secret host', []],
    ['scp -i secret a host:', []],
    ['source secret', ['read?']],
    ['app --env-file secret', ['read?']],
    ['app --env-file=secret', ['read?']],
    [`python3 -c "open('secret')"`, ['read']],
    [`node -e 'x("/a/secret")'`, ['read']],
    ['git show HEAD:secret', ['read']],
    ['git diff secret', ['read']],
    ['git diff --stat secret', ['metadata']],
    ['git add secret', ['read']],
    ['git status secret', ['metadata']],
    ['git rm --cached secret', ['metadata']],
    ['git checkout -- secret', ['write']],
    ['git commit -m secret', []],
    ['git commit -F secret', ['read']],
    ['git grep secret', []],
    ['git grep a secret', ['read']],
    ['git log -p secret', ['read']],
    ['sudo cat secret', ['read']],
    ['find . -name secret -exec cat {} +', ['metadata', 'read']],
    ['find . -name secret | xargs cat', ['metadata', 'read']],
    ["apply_patch <<'E'\n*** Begin Patch\n*** Add File: secret\n+x\n*** End Patch\nE", ['write']],
    ['apply_patch <<E\n*** Begin Patch\n*** Update File: $D/secret\n*** End Patch\nE', ['write']],
    ["apply_patch <<-'E'\n\t*** Begin Patch\n\t*** Delete File: secret\n\tE", ['write']],
    ["apply_patch <<< '*** Begin Patch\n*** Update File: secret\n*** Move to: a'", ['write']],
    ["apply_patch '*** Begin Patch\n*** Update File: a\n*** Move to: secret\n*** End Patch'", ['write']],
    ["applypatch '*** Begin Patch\n*** Add File: secret'", ['write']],
    ['/usr/bin/apply_patch "$(cat <<\'E\'\n*** Begin Patch\n*** Add File: secret\nE\n)"', ['write']],
    ["sudo apply_patch <<'E'\n*** Begin Patch\n*** Add File: secret\nE", ['write']],
    ["bash -c 'apply_patch' <<'E'\n*** Begin Patch\n*** Add File: secret\nE", ['write']],
    ["{ apply_patch; } <<'E'\n*** Begin Patch\n*** Add File: secret\nE", ['write']],
    ["cat <<'E' | apply_patch\n*** Begin Patch\n*** Add File: secret\nE", ['write']],
    ["printf '*** Begin Patch\\n*** Add File: secret\\n*** End Patch' | apply_patch", ['write']],
    ["echo '*** Add File: secret' | apply_patch", ['write']],
    ["$X <<'E'\n*** Begin Patch\n*** Add File: secret\nE", ['write']],
    ['apply_patch < secret', ['read']],
    ["apply_patch '*** Begin Patch\n*** Add File: a\n+see=b/secret'", []],
    ['B=$(f "*** Add File: secret"); apply_patch "*** Begin Patch\n$B\n*** End Patch"', ['write']],
    ["cat > a <<'E'\n*** Begin Patch\n*** Add File: secret\nE", []],
    ["echo apply_patch <<'E'\n*** Begin Patch\n*** Add File: secret\nE", []],
    ["git commit -m 'apply_patch\n*** Begin Patch\n*** Add File: secret\n'", []],
  ])('%s', (text, accesses) => {
    expect([...new Set(touched(bash(text)).map((line) => line.split(' ')[0]))]).toEqual(accesses)
  })

  it('resolves paths relative to the folder of the command', () => {
    expect(touched(bash('cd /a && cat b/../secret'))).toEqual(['read /a/secret'])
    expect(touched(bash('git -C /a show HEAD:b/secret'))).toContain('read /a/b/secret')
    expect(touched(bash('cd "$X" && cat secret'))).toEqual(['read …/secret'])
    const patch = "apply_patch <<'E'\n*** Begin Patch\n*** Add File: b/../secret\nE"
    expect(touched(bash(`cd /a && ${patch}`))).toEqual(['write /a/secret'])
    expect(touched(bash(`cd "$X" && ${patch}`))).toEqual(['write …/secret'])
  })

  it('follows links', () => {
    const facts = frozenFacts({ realpath: (path) => (path === '/srv/project/a.txt' ? '/x/secret' : path) })
    expect(touched(bash('cat a.txt'), facts)).toEqual(['read /x/secret'])
    expect(touched(toolCall('Read', { file_path: 'a.txt' }), facts)).toEqual(['read /x/secret'])
  })

  it('finds no paths in a command that cannot be read', () => {
    expect(touchedPaths(bash('cat secret "'), frozenFacts())).toEqual([])
  })
})

describe('touchedPaths of a tool', () => {
  it.each([
    ['Read', { file_path: 'secret' }, ['read /srv/project/secret']],
    ['Read', { file_path: '/a/../secret' }, ['read /secret']],
    ['Write', { file_path: '~/secret' }, ['write /home/dev/secret']],
    ['Edit', { file_path: 'secret' }, ['write /srv/project/secret']],
    ['MultiEdit', { file_path: 'secret' }, ['write /srv/project/secret']],
    ['NotebookEdit', { notebook_path: 'secret' }, ['write /srv/project/secret']],
    ['Grep', { pattern: 'secret', path: 'a/secret' }, ['read /srv/project/a/secret']],
    ['Grep', { pattern: 'x', glob: '**/secret' }, ['read /srv/project/**/secret']],
    ['Grep', { pattern: 'x', glob: '!secret' }, []],
    ['Grep', { pattern: 'x', glob: '{secret,a}' }, ['read /srv/project/secret']],
    ['Glob', { pattern: 'a/secret' }, ['list /srv/project/a/secret']],
    ['Read', { file_path: ['secret'] }, ['read /srv/project/secret']],
    ['Read', {}, []],
    ['Read', { file_path: 5 }, []],
    ['Other', { file_path: 'secret' }, ['read /srv/project/secret']],
    ['mcp__fs__read_text_file', { path: 'secret' }, ['read /srv/project/secret']],
    ['mcp__fs__read_multiple_files', { paths: ['a', '/b/secret'] }, ['read /b/secret']],
    ['mcp__fs__write_file', { path: '/a/secret', content: 'x' }, ['write /a/secret']],
    ['mcp__fs__edit_file', { path: 'secret', edits: [] }, ['write /srv/project/secret']],
    ['mcp__fs__move_file', { source: 'secret', destination: 'a' }, ['write /srv/project/secret']],
    ['mcp__fs__copy_file', { source: 'a', destination: 'secret' }, ['write /srv/project/secret']],
    ['mcp__fs__get_file_info', { path: 'secret' }, ['metadata /srv/project/secret']],
    ['mcp__ide__open', { uri: 'file:///a/b%20c/secret' }, [`read /a/'b c'/secret`]],
    ['mcp__git__get_file_contents', { owner: 'x', path: 'a/secret' }, ['read /srv/project/a/secret']],
    ['mcp__x__push_files', { files: [{ path: 'secret', content: 'x' }] }, ['write /srv/project/secret']],
    ['mcp__web__fetch', { url: 'https://example.com/secret' }, []],
    ['mcp__web__open', { uri: 'https://example.com/secret' }, []],
    ['mcp__notes__add', { text: 'secret' }, []],
    ['read_file', { absolute_path: '/secret' }, ['read /secret']],
  ])('%s %j', (tool, input, expected) => {
    expect(touched(toolCall(tool, input))).toEqual(expected)
  })

  it('counts every file in a patch as written, for every kind of change', () => {
    const files = [
      { path: 'a/secret', change: 'add' },
      { path: '/secret', change: 'update' },
      { path: '../secret', change: 'delete' },
    ]
    const expected = ['write /srv/project/a/secret', 'write /secret', 'write /srv/secret']
    const patched = (name: string, input: JsonObject) =>
      toolCall(name, input, { tool: { name, input, files } })
    expect(touched(patched('apply_patch', {}))).toEqual(expected)
    expect(touched(patched('another_tool', {}))).toEqual(expected)
  })

  it('also reads the patch itself, because a hook may have replaced it', () => {
    const input = { command: '*** Begin Patch\n*** Update File: secret\n*** Move to: b\n' }
    expect(touched(toolCall('apply_patch', input))).toEqual(['write /srv/project/secret'])
    const tool = { name: 'apply_patch', input, files: [{ path: 'harmless', change: 'add' }] }
    expect(touched(toolCall('apply_patch', input, { tool }))).toEqual(['write /srv/project/secret'])
  })

  it('follows a link that a patch writes through', () => {
    const facts = frozenFacts({ realpath: (path) => (path === '/srv/project/a.txt' ? '/x/secret' : path) })
    const input = { command: '*** Update File: a.txt' }
    expect(touched(toolCall('apply_patch', input), facts)).toEqual(['write /x/secret'])
  })

  it('finds no paths in an event without a tool', () => {
    expect(touchedPaths(eventOf('Stop', { stopHookActive: false }), frozenFacts())).toEqual([])
  })
})

describe('a patch under another name', () => {
  it.each([
    ['apply_patch', 'input'],
    ['apply_patch', 'patchText'],
    ['ApplyPatch', 'patch'],
    ['mcp__x__apply_patch', 'patch_text'],
  ])('%s{%s} writes the files that it names', (tool, field) => {
    const input = { [field]: '*** Begin Patch\n*** Update File: secret\n@@\n-a\n+b\n*** End Patch' }
    expect(touched(toolCall(tool, input))).toEqual(['write /srv/project/secret'])
  })

  it('is not one where the text is only content', () => {
    const input = { file_path: 'a.md', content: '*** Begin Patch\n*** Update File: secret\n*** End Patch' }
    expect(touched(toolCall('Write', input))).toEqual([])
  })
})
