import { filesCalled, operandFiles, type ScriptFiles } from '../programs/aspects/script-files.ts'
import { tasksIn } from '../programs/languages/build.ts'

export const READERS: ReadonlyMap<string, ScriptFiles> = new Map<string, ScriptFiles>([
  ['rake', { files: filesCalled('Rakefile', 'rakefile', 'Rakefile.rb'), language: 'ruby' }],
  ['ansible-playbook', { files: operandFiles, commands: tasksIn }],
  ['dart', { files: operandFiles, language: 'other' }],
  ['dotnet', { files: operandFiles, language: 'other' }],
])
