// Each script calls `clicks __complete -- <words>`, which prints ":files", or one candidate per line: word, tab, description.

// Bash splits words at "=", so `--out=file` is three words. It cannot show descriptions.
const bash = `_clicks() {
  local word line words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == "=" ]] || words+=("$word")
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == "=" ]] && words+=("")
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      compopt -o default 2>/dev/null
    elif [[ -n $line ]]; then
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("$1" __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _clicks clicks
`

const zsh = `#compdef clicks
_clicks() {
  local line
  local -a found
  for line in "\${(@f)$("$words[1]" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ":files" ]]; then
      compset -P '*='
      _files
      return
    fi
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe clicks found
}
if [[ "$funcstack[1]" == "_clicks" ]]; then
  _clicks "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _clicks clicks
fi
`

const fish = `function __clicks_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l found ($words[1] __complete -- $words[2..] "$word" 2>/dev/null)
    if test "$found" = ":files"
        set -l name (string match -r -- '^--[^=]*=' "$word")
        __fish_complete_path (string replace -- "$name" "" "$word") | string replace -r '^' -- "$name"
    else
        printf '%s\\n' $found
    end
end
complete -c clicks -e
complete -c clicks -f -a '(__clicks_complete)'
`

export const scripts = { bash, zsh, fish }

export type Shell = keyof typeof scripts
