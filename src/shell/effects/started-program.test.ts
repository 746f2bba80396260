import { describe, expect, it } from 'vitest'
import { readCommands } from '../walk/read-commands.ts'
import { exactText } from '../words/words.ts'
import { startedProgram } from './started-program.ts'

function started(line: string): string | undefined {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  const [command] = analysis.judged ? analysis.commands : []
  const found = command === undefined ? undefined : startedProgram(command)
  return found === undefined ? undefined : [found.name, ...found.args.map(exactText)].join(' ')
}

describe('the program an interpreter starts', () => {
  it.each([
    ['python manage.py flush', 'manage.py flush'],
    ['python3.11 -u ./manage.py flush', 'manage.py flush'],
    ['python -m twine upload dist', 'twine upload dist'],
    ['python3 -Im twine upload', 'twine upload'],
    ['php -d memory_limit=1G artisan migrate:fresh', 'artisan migrate:fresh'],
    ['node ace migration:fresh', 'ace migration:fresh'],
    ['java -Xmx2g -jar ~/tools/bfg-1.14.0.jar --delete-files x', 'bfg --delete-files x'],
    ['java -jar bfg.jar', 'bfg'],
  ])('%s', (line, expected) => {
    expect(started(line)).toBe(expected)
  })

  it.each([
    'npm install prisma',
    'npm run build',
    'yarn add prisma',
    'pnpm publish',
    'python -c "print(1)"',
    'python',
    'node -e 1',
    'npx "$TOOL" x',
    'ls',
    'java Main.java',
    'java -jar "$JAR"',
  ])('none: %s', (line) => {
    expect(started(line)).toBeUndefined()
  })
})
