package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"
)

// screen shows the panes on a terminal, as long as the person looks.
type screen struct {
	*process
	all    bool
	in     *os.File // for keys, nil where stdin is no terminal
	out    *os.File
	look   tableLook
	width  int
	height int

	panes  map[string][]shownPane // by session
	list   []*shownPane           // those to show, in order
	short  map[string]string      // ids
	counts string
	top    int      // the first of the list on the screen
	drawn  []string // the lines on the screen
	saved  *terminalMode

	mu   sync.Mutex
	said []string // by others, to be printed at the end
}

// newScreen is a screen on stdout, nil where that can't draw.
func newScreen(p *process, all bool) *screen {
	out := terminal(p.stdout)
	if out == nil || !canDraw || p.env("TERM") == "dumb" {
		return nil
	}
	s := &screen{process: p, all: all, out: out, panes: map[string][]shownPane{}}
	if isTerminal(p.stdin) {
		s.in = p.stdin
	}
	return s
}

const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l"
	leaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// show draws until the person quits, the terminal goes, or a signal ends it.
// It leaves the terminal as it was.
func (s *screen) show(changes <-chan []paneChange, failed <-chan error, run *execRunner) (err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, append(quitSignals(), screenSignals()...)...)
	defer signal.Stop(signals)
	defer s.printSaid()
	defer s.leave()
	if err := s.enter(); err != nil {
		return err
	}
	keys := make(chan string)
	if s.in != nil {
		go readKeys(s.in, keys)
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case err := <-failed:
			return err
		case list := <-changes:
			for i := range list {
				run.take(&list[i])
			}
			s.take(list)
		case key, ok := <-keys:
			if !ok || s.press(key) {
				return nil
			}
		case <-second.C:
		case sig := <-signals:
			quit := false
			switch {
			case isResize(sig):
				s.resize()
			case isSuspend(sig):
				quit, err = s.suspend(signals)
			case isContinue(sig):
				err = s.enter()
			default:
				quit = true
			}
			if quit || err != nil {
				return err
			}
		}
		if s.draw() != nil {
			return nil // the terminal is gone
		}
	}
}

// enter takes over the terminal, which may have been somebody else's meanwhile.
func (s *screen) enter() (err error) {
	if s.in != nil {
		mode, err := rawMode(s.in)
		if err != nil {
			return err
		}
		if s.saved == nil {
			s.saved = mode
		}
	}
	s.resize()
	_, err = s.out.WriteString(enterScreen)
	return err
}

func (s *screen) leave() {
	_, _ = s.out.WriteString(leaveScreen)
	if s.saved != nil {
		restoreMode(s.in, s.saved)
	}
}

// suspend gives the terminal back and stops, until the shell continues us or
// something ends us.
func (s *screen) suspend(signals <-chan os.Signal) (quit bool, err error) {
	if !canBeContinued() {
		return false, nil
	}
	s.leave()
	stopSelf()
	// It may take a moment until we are stopped; the signal tells that we were.
	for sig := range signals {
		if isContinue(sig) {
			break
		}
		if !isResize(sig) && !isSuspend(sig) {
			return true, nil
		}
	}
	return false, s.enter()
}

func (s *screen) resize() {
	s.look = s.lookOf(s.out)
	s.width, s.height = terminalSize(s.out)
	if s.width == 0 || s.height == 0 {
		s.width, s.height = s.look.width, 24
	}
	s.drawn = nil
}

// take brings the panes up to date.
func (s *screen) take(changes []paneChange) {
	for i := range changes {
		p := changes[i].Pane
		rest := slices.DeleteFunc(slices.Clone(s.panes[p.Session]), func(q shownPane) bool { return q.Role == p.Role })
		if changes[i].What != paneRemoved {
			rest = append(rest, p)
		}
		if len(rest) == 0 {
			delete(s.panes, p.Session)
		} else {
			s.panes[p.Session] = rest
		}
	}
	s.sort()
}

func (s *screen) sort() {
	s.list = s.list[:0]
	counts := map[string]int{}
	for _, panes := range s.panes {
		for i := range panes {
			if p := &panes[i]; s.all || p.isOpen() {
				s.list = append(s.list, p)
				counts[p.Shown.State]++
			}
		}
	}
	slices.SortFunc(s.list, byNeed)
	s.short = shortIDs(sortedKeys(s.panes))
	s.counts = countText(counts)
}

// press does what a key is for, and tells whether that is to quit.
func (s *screen) press(key string) (quit bool) {
	page := max(1, s.rows()-1)
	switch key {
	case "q", "Q", "\x03", "\x04":
		return true
	case "a":
		s.all = !s.all
		s.sort()
	case "j", "\x1b[B", "\x1bOB", "\r", "\n":
		s.top++
	case "k", "\x1b[A", "\x1bOA":
		s.top--
	case " ", "\x1b[6~":
		s.top += page
	case "b", "\x1b[5~":
		s.top -= page
	case "g", "\x1b[H", "\x1bOH", "\x1b[1~":
		s.top = 0
	case "G", "\x1b[F", "\x1bOF", "\x1b[4~":
		s.top = len(s.list)
	case "\x0c": // Ctrl-L
		s.drawn = nil
	}
	return false
}

// On a low terminal the headings go first, then the counts, then the bottom
// line, so that one pane at least is seen.
func (s *screen) hasHeads() bool  { return s.height > 3 && len(s.list) > 0 }
func (s *screen) hasCounts() bool { return s.height > 2 || len(s.list) == 0 }
func (s *screen) hasBottom() bool { return s.height > 1 }

// rows is how many panes fit.
func (s *screen) rows() int {
	rows := s.height
	for _, taken := range []bool{s.hasHeads(), s.hasCounts(), s.hasBottom()} {
		if taken {
			rows--
		}
	}
	return max(1, rows)
}

// draw writes the lines that are not on the screen yet, with one write.
func (s *screen) draw() error {
	lines := s.lines()
	var b bytes.Buffer
	if s.drawn == nil {
		b.WriteString("\x1b[0m\x1b[2J")
	}
	for i, line := range lines {
		if s.drawn == nil || s.drawn[i] != line {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[0m\x1b[2K%s", i+1, line)
		}
	}
	s.drawn = lines
	if b.Len() == 0 {
		return nil
	}
	_, err := s.out.Write(b.Bytes())
	return err
}

// lines is the screen as it should be, from top to bottom.
func (s *screen) lines() []string {
	s.top = max(0, min(s.top, len(s.list)-s.rows()))
	end := min(len(s.list), s.top+s.rows())
	var lines []string
	if s.hasCounts() {
		lines = append(lines, fit(s.headline(), s.width))
	}
	if len(s.list) > 0 {
		rows := table(s.list[s.top:end], s.short, s.look, s.now())
		if !s.hasHeads() {
			rows = rows[1:]
		}
		lines = append(lines, rows...)
	}
	lines = append(lines, make([]string, max(0, s.height-len(lines)))...)
	if bottom := s.bottom(end); s.hasBottom() && bottom != "" {
		lines[len(lines)-1] = s.styled(dimLook, fit(bottom, s.width))
	}
	return lines
}

func (s *screen) styled(look, text string) string {
	if !s.look.color || look == "" || text == "" {
		return text
	}
	return look + text + plainLook
}

func (s *screen) headline() string {
	if s.counts == "" {
		return "panehook: no pane is open"
	}
	return "panehook: " + s.counts
}

// bottom tells what is not to be seen, or what somebody has to say.
func (s *screen) bottom(end int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := "q quit  a "
	if s.all {
		text += "open only"
	} else {
		text += "all"
	}
	if s.top > 0 || end < len(s.list) {
		text = fmt.Sprintf("%d-%d of %d  ", s.top+1, end, len(s.list)) + text
	}
	if len(s.said) > 0 {
		text = s.said[len(s.said)-1]
	}
	return text
}

// Write takes a line that cannot be printed while the screen is drawn.
func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, strings.TrimSpace(string(b)))
	if len(s.said) > 20 {
		s.said = s.said[1:]
	}
	return len(b), nil
}

func (s *screen) printSaid() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.said {
		fmt.Fprintln(s.stderr, line)
	}
}

// readKeys hands over what is typed until the terminal is gone.
func readKeys(in *os.File, keys chan<- string) {
	defer close(keys)
	buf := make([]byte, 64)
	for {
		n, err := in.Read(buf)
		for rest := string(buf[:n]); rest != ""; {
			size := keyLength(rest)
			keys <- rest[:size]
			rest = rest[size:]
		}
		if err != nil || n == 0 {
			return
		}
	}
}

// keyLength is the length of the first key in what was typed. Keys with a name
// send a sequence that ends with a letter or "~".
func keyLength(typed string) int {
	if len(typed) < 3 || typed[0] != '\x1b' || typed[1] != '[' && typed[1] != 'O' {
		return 1
	}
	for i := 2; i < len(typed); i++ {
		if c := typed[i]; c >= '@' && c <= '~' {
			return i + 1
		}
	}
	return len(typed)
}
