export const ZSH = `#compdef holdpoint
# Completion of holdpoint for zsh.
#
# In this shell:
#   source <(holdpoint completion zsh)
#
# In every new shell:
#   mkdir -p ~/.zfunc
#   holdpoint completion zsh > ~/.zfunc/_holdpoint
# and in ~/.zshrc, before any other use of compinit:
#   fpath=(~/.zfunc $fpath)
#   autoload -Uz compinit && compinit

_holdpoint() {
  local line value description paths
  local -a lines values
  # Always ask the program on PATH: a path you typed must not run before you press Enter.
  lines=("\${(@f)$(command holdpoint complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  # In \`--host=codex\` only the value is completed.
  local assigned=
  if [[ $PREFIX == --*=* ]]; then
    assigned=1
    compset -P '*='
  fi
  for line in $lines; do
    case $line in
      '') ;;
      :files) paths=files ;;
      :folders) paths=folders ;;
      *)
        value=\${line%%$'\\t'*}
        description=\${line#*$'\\t'}
        [[ -n $assigned ]] && value=\${value#*=}
        if [[ $line == *$'\\t'* ]]; then values+=("\${value//:/\\\\:}:$description"); else values+=("\${value//:/\\\\:}"); fi
        ;;
    esac
  done
  local found=1
  ((\${#values})) && _describe -t values value values && found=0
  [[ $paths == files ]] && _files && found=0
  [[ $paths == folders ]] && _files -/ && found=0
  return found
}

# Called as a function that zsh loaded by itself, or read by \`source\`.
if [[ \${funcstack[1]} == _holdpoint ]]; then
  _holdpoint "$@"
elif ((\${+functions[compdef]})); then
  compdef _holdpoint holdpoint
else
  print -u2 'holdpoint: run \`autoload -Uz compinit && compinit\` first.'
fi
`
