import { decodeUtf16 } from '../../words/decode.ts'
import { isStandardInput } from '../../words/standard-input.ts'
import { concatForms, exactText, joinWords, textPiece, type Word } from '../../words/words.ts'
import { shellSource } from '../aspects/code-source.ts'
import type { Interpreter, InterpreterArguments } from '../aspects/interpreter.ts'
import type { ProgramTable } from '../program.ts'

const LANGUAGE: Interpreter = { language: 'powershell', readsInput: true, find: findPowerShell }

export const POWERSHELL: ProgramTable = {
  'pwsh powershell': { interprets: LANGUAGE, isShell: true, codeFrom: shellSource },
  'powershell.exe pwsh.exe': { interprets: LANGUAGE },
}

const POWERSHELL_VALUED =
  /^-(ex|ep|executionpolicy|w|windowstyle|wd|workingdirectory|inputformat|if|outputformat|of|o|configurationname|settingsfile|psconsolefile|version)$/i

/** Names that mean nothing to the shell around it: `"… $env:PATH"` was written for PowerShell. */
const ITS_OWN = /^\$\{?(env|_|true|false|null|PSScriptRoot|PROFILE)\}?$/

function asMeant(word: Word): Word {
  const forms = word.forms.map((form) =>
    concatForms(
      form.map((piece, at) => {
        const next = form[at + 1]?.text ?? ''
        const isSet = /^\$\w+$/.test(piece.text) && /^\s*=\s|^\.\w/.test(next)
        return piece.kind === 'unknown' && (isSet || ITS_OWN.test(piece.text)) ? textPiece(piece.text) : piece
      }),
    ),
  )
  return { ...word, forms }
}

/** `-Command` and its short forms take everything that follows; so does the first word without a dash on Windows. */
function findPowerShell(args: readonly Word[]): InterpreterArguments {
  for (let at = 0; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text !== undefined && POWERSHELL_VALUED.test(text)) at += 1
    else if (/^[-/](c|co|com|comm|comma|comman|command|commandw\w*)$/i.test(text ?? '')) {
      const code = args.slice(at + 1)
      const [only] = code
      if (code.length === 1 && only !== undefined && isStandardInput(only)) return { code: [] }
      return { code: joinWords(code.map(asMeant)) ?? [[{ kind: 'unknown', text: '…' }]] }
    } else if (/^[-/](e|ec|en|enc|enco\w*)$/i.test(text ?? '')) {
      const decoded = decodeUtf16(exactText(args[at + 1]) ?? '')
      return { code: [decoded === undefined ? [{ kind: 'unknown', text: '…' }] : [textPiece(decoded)]] }
    } else if (/^[-/](f|fi|fil|file)$/i.test(text ?? ''))
      return { code: [], ...(args[at + 1] === undefined ? {} : { script: args[at + 1] as Word }) }
    else if (text === undefined || !/^[-/]/.test(text)) {
      const script = args[at]
      const isFile = text === undefined || /\.ps1$/i.test(text)
      if (isFile && script !== undefined) return { code: [], script }
      return { code: joinWords(args.slice(at)) ?? [] }
    }
  }
  return { code: [] }
}
