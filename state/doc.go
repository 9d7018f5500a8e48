// Package state keeps what is known of agents' sessions in files below one
// state root, and brings them through concurrent writers, kills and damage. It
// knows no agent and no rule: what an event does to a pane is its caller's.
//
// A hook calls [Record]; a tracker or status line calls [LoadSessionState], or
// [UpdateSessionState] to change something; a program that starts sessions
// keeps a [Manifest] of each in a [Store]. Several programs may do so on the
// same root at the same time.
//
// The files are those of questmaster, which starts and tracks agents' sessions:
// hence the names of the environment and the qm- of ids. A quest is a task that
// it gives to a session, and a quest loop has one repeated until its checks
// pass. "The reference" is questmaster's own package for these files; programs
// that know only that work on the same root.
//
// # Files
//
//	<root>/                       $QUESTMASTER_STATE_ROOT, else ~/.questmaster-state
//	    <id>.json                 manifest of a session
//	    <id>.json.lock
//	    repo-colors.json          colours of repositories
//	    repo-colors.json.lock
//	    <id>/                     a session; <id> is qm-[A-Za-z0-9_-]+
//	        state.json            its panes as they are now
//	        state.json.lock       the lock for everything in this folder
//	        state.json.tmp        the next state.json, while it is written
//	        state.jsonl           its events, one a line
//	        state.jsonl.1         the events before those
//	        waiting/*.json        events that came while the session was locked
//	        *.corrupt-<UTC time>  files that made no sense, at most three a kind
//
// Folders have mode 0700 and files 0600. A looser root or session folder is
// tightened, unless it is sticky like /tmp. The root may be a symbolic link.
// Below it a link, a folder, a FIFO or a device in the place of a file is an
// error that names the path; it is neither read nor replaced.
//
// state.json is one line of compact JSON: session_id, version (1), panes by
// role, seen_at, then quest_id and quest_loop where there are any. Times are in
// RFC 3339; the zero time is written as 0001-01-01T00:00:00Z. What a pane
// remembers for this program alone is under its key "panehook".
//
// state.jsonl has one compact JSON object a line, in the order in which events
// were applied, with times in UTC. From [StateJSONLMaxSize] on it is renamed
// to state.jsonl.1 before the next line. Lines of [Record] have in "fields",
// besides what its caller puts there:
//
//	seq        the Seq of the event's pane after it
//	unchanged  true where state.json did not have to be written for it
//	batch      2, 3, … for further lines written at the same time
//	waited     the waiting file from which the event came
//
// A manifest is JSON indented by two spaces, keys in the order of the fields of
// [Manifest], or in order of name when there are keys that it does not know.
//
// Keys that this version does not know are kept and written again, in every
// object of state.json, of manifests and of repo-colors.json, but for the parts
// of a pane's memory. A known key with a value of the wrong kind is treated
// likewise, until its field gets a value. White space outside of strings and
// the order of unknown keys are not kept. Bytes that are not UTF-8 become
// U+FFFD. Nothing is escaped that JSON does not require; numbers under unknown
// keys stay as they were written.
//
// # What a reader sees
//
// Readers take no lock. state.json, manifests and repo-colors.json are replaced
// as a whole, so that a reader has the file from before or after any write. Of
// state.jsonl it may see the beginning of a last line; it should skip lines
// that do not parse, and after a kill there may be one for good. A pane's Seq
// grows with its events: the state with the larger one is the later.
//
// # What a writer may rely on
//
// Writers take an exclusive flock(2) lock on the lock file and hold it from
// reading to writing. The lock file is not renamed, and removed only with the
// manifest or the session that it belongs to; so whoever got a lock makes sure
// that the file still stands at its path. A process that hangs with a lock
// delays others by about a second: [UpdateSessionState] and its kin then return
// [ErrBusy], and [Record] puts its event aside, for the next Record or
// [RecordWaiting] to apply in order. Network file systems whose flock(2) does
// not reach other machines are no place for a root that several machines use.
//
// # What a kill leaves
//
// Record writes the lines first, then state.json, then removes the waiting
// files whose events they are. Killed
//
//   - before the lines: its own event is lost with the process, all else is as
//     it was.
//   - between the lines and state.json: the next Record finds that the last
//     line's seq is ahead of the pane, and applies that line and those of its
//     batch, as far as they are not marked unchanged, before anything else. They
//     are not logged again. RecordWaiting does the same, and [WaitingEvents]
//     counts them.
//   - between state.json and the waiting files: the next Record finds the names
//     of the files in the log, and just removes them.
//   - while it writes state.json.tmp, or after it has swapped it into place: the
//     next writer removes that file.
//   - while it puts an event aside: a temporary file stays in the waiting
//     folder. It is removed when it is a minute old and the folder is read.
//
// So every event whose line is in the log was applied once. This takes the
// events of one session to be recorded by this package; a line that another
// program appends is never applied.
//
// # What a power cut leaves
//
// Nothing is flushed to the disk: the panes die with the machine anyway.
// state.json may be empty or old, the last lines of state.jsonl torn, missing
// or zeros. What makes no sense is set aside by the next writer, which goes on
// with an empty state and the log's last batch; a torn line is ended, so that
// it takes no other with it. A state of another [SchemaVersion] is set aside
// likewise. To readers both are unknown ([ErrDamaged], or the other Version).
// Manifests are replaced by a plain rename, on which common file systems write
// out the new file first; one that is damaged is an error and is left alone.
package state
