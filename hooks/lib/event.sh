# Reads the client's event: sets BODY, INSIDE and CLAUDE_ID. Builtins only. Sourced after common.sh.
# shellcheck shell=bash

# `-N` reads blocks; `-d ''` makes a system call for each byte.
IFS= read -r -N 67108864 BODY

# Where the client itself runs in a session, this is all that there is of the state, and INSIDE names the
# session. Its calls see an empty directory there.
INSIDE=
if [[ -f $STATE/inside/host/rules ]]; then
  STATE=$STATE/inside
  for INSIDE in "$STATE"/sessions/*; do INSIDE=${INSIDE##*/}; done
fi

# The client's session id; it is each event's first field.
CLAUDE_ID=${BODY:0:4096}
# Its usual form: a regular expression takes longer than everything else here.
if [[ $CLAUDE_ID == '{"session_id":"'*'"'* ]]; then
  CLAUDE_ID=${CLAUDE_ID:15}
  CLAUDE_ID=${CLAUDE_ID%%'"'*}
else
  REPLY='"session_id" *: *"([^"]*)"'
  if [[ $CLAUDE_ID =~ $REPLY ]]; then CLAUDE_ID=${BASH_REMATCH[1]}; else CLAUDE_ID=${CLAUDE_CODE_SESSION_ID-}; fi
fi
safe_id "$CLAUDE_ID"
CLAUDE_ID=$REPLY
