// The program of one live client process: the scenario's steps on the real lock core and hiredis.
#pragma once

namespace holdfast::live {

// Orders come as the first line on standard input; events go to descriptor `events`. At a named
// point that concerns the lab the client tells it and then stops itself, kills itself, or waits for
// one byte on standard input. Returns the exit code of the process.
int run_live_client(int events);

}  // namespace holdfast::live
