package main

import (
	"io/fs"
	"os"

	"github.com/fsnotify/fsnotify"
)

// folderWatch brings notices about what changes in folders, which may go away
// and come back. Where the system gives none, there are none, and its user has
// to look now and then.
type folderWatch struct {
	watcher *fsnotify.Watcher      // nil where the system gives no notices
	watched map[string]os.FileInfo // the folders of which notices come
}

func newFolderWatch() *folderWatch {
	w := &folderWatch{watched: map[string]os.FileInfo{}}
	w.watcher, _ = fsnotify.NewWatcher()
	return w
}

func (w *folderWatch) close() {
	if w.watcher != nil {
		w.watcher.Close()
	}
}

func (w *folderWatch) events() chan fsnotify.Event {
	if w.watcher == nil {
		return nil
	}
	return w.watcher.Events
}

func (w *folderWatch) errors() chan error {
	if w.watcher == nil {
		return nil
	}
	return w.watcher.Errors
}

func (w *folderWatch) watches(dir string) bool { return w.watched[dir] != nil }

// watch asks for notices about a folder as it is now, and tells whether it is
// another than before. A folder that was removed and made anew is another one,
// of which nobody has given notice.
func (w *folderWatch) watch(dir string, stat func(string) (fs.FileInfo, error)) (another bool) {
	before := w.watched[dir]
	info, err := stat(dir)
	if err == nil && before != nil && os.SameFile(info, before) {
		return false
	}
	if before == nil && (err != nil || !info.IsDir()) {
		return false
	}
	w.forget(dir)
	if w.watcher != nil && err == nil && info.IsDir() && w.watcher.Add(dir) == nil {
		w.watched[dir] = info
		return true
	}
	return before != nil
}

// forget asks for no more notices about a folder.
func (w *folderWatch) forget(dir string) {
	if w.watched[dir] == nil {
		return
	}
	delete(w.watched, dir)
	_ = w.watcher.Remove(dir)
}
