package adapters

import (
	"encoding/json"
	"testing"
)

func TestSafeCopy(t *testing.T) {
	tests := []struct{ in, want string }{
		// Whatever the value of a secret's name is.
		{`{"password":87654321,"pin":1}`, `{"password":"***","pin":1}`},
		{`{"api_token":-1.5e3,"auth":true,"secret":null}`, `{"api_token":"***","auth":"***","secret":null}`},
		{`{"secrets":{"a":[1,{"b":false}]}}`, `{"secrets":{"a":["***",{"b":"***"}]}}`},
		{`{"max_tokens":4096,"tokens":{"input":12},"token_count":7}`, `{"max_tokens":4096,"tokens":{"input":12},"token_count":7}`},
		{`{"tokens":{"password":12}}`, `{"tokens":{"password":"***"}}`},
		{"{\"pass\u200bword\":1}", `{"password":"***"}`},

		// Names and values that are members.
		{`{"name":"API_TOKEN","value":"hunter2long"}`, `{"name":"API_TOKEN","value":"***"}`},
		{`{"env":[{"value":87654321,"key":"db_password"},{"key":"HOME","value":"/root"}]}`,
			`{"env":[{"value":"***","key":"db_password"},{"key":"HOME","value":"/root"}]}`},
		{`{"ParameterKey":"DbPassword","ParameterValue":["hunter2long"]}`, `{"ParameterKey":"DbPassword","ParameterValue":["***"]}`},
		{`{"name":"max_tokens","value":4096}`, `{"name":"max_tokens","value":4096}`},
		{`{"name":"x","value":"y","key":7}`, `{"name":"x","value":"y","key":7}`},

		// Arguments.
		{`{"a":["docker","login","-p","hunter2long","reg.io"]}`, `{"a":["docker","login","-p","***","reg.io"]}`},
		{`{"a":["docker","login","-p",87654321]}`, `{"a":["docker","login","-p","***"]}`},
		{`{"a":["docker","login","-u","bob","-p","bob"]}`, `{"a":["docker","login","-u","bob","-p","***"]}`},
		{`{"a":["mysql","-phunter2long","db"]}`, `{"a":["mysql","-p***","db"]}`},
		{`{"a":["/usr/bin/mysql","-phunter2 it's long","db"]}`, `{"a":["/usr/bin/mysql","***","db"]}`},
		{`{"a":["curl","-u","bob:hunter2long","https://x"]}`, `{"a":["curl","-u","bob:***","https://x"]}`},
		{`{"a":["curl","-u","bob:hunter2 long","https://x"]}`, `{"a":["curl","-u","bob:***","https://x"]}`},
		{`{"a":["mysql","-p'hunter2'long","db"]}`, `{"a":["mysql","***","db"]}`},
		{`{"a":["tool","--password=hunter2long","--port",80]}`, `{"a":["tool","--password=***","--port",80]}`},
		{`{"a":["tool","--password",87654321,true]}`, `{"a":["tool","--password","***",true]}`},
		{`{"a":[["zip","-P","hunter2long"],["zip","-r","x"]]}`, `{"a":[["zip","-P","***"],["zip","-r","x"]]}`},
		{`{"command":"mysql","args":["-phunter2long"]}`, `{"command":"mysql","args":["-p***"]}`},
		{`{"args":["login","-p","hunter2long"],"cmd":"docker"}`, `{"args":["login","-p","***"],"cmd":"docker"}`},
		{`{"a":["docker","run","-p","8080:80","web",1,null]}`, `{"a":["docker","run","-p","8080:80","web",1,null]}`},
		{`{"a":["mkdir","-p","a dir","it's"],"b":["Enter password","Skip"]}`, `{"a":["mkdir","-p","a dir","it's"],"b":["Enter password","Skip"]}`},
		{`{"a":["bash","-c","export TOKEN=hunter2long; make"]}`, `{"a":["bash","-c","export TOKEN=***; make"]}`},
		{`{"a":[{"b":1},"x"],"c":[]}`, `{"a":[{"b":1},"x"],"c":[]}`},
	}
	for _, test := range tests {
		got := SafeCopy([]byte(test.in))
		if string(got) != test.want || !json.Valid(got) {
			t.Errorf("SafeCopy(%s)\n got %s\nwant %s", test.in, got, test.want)
		}
		if again := SafeCopy(got); string(again) != string(got) {
			t.Errorf("SafeCopy(%s) becomes %s", got, again)
		}
	}
}
