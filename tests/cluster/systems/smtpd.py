"""A mail server on the loopback. Usage: smtpd.py PORT FOLDER.

Each mail becomes a file NUMBER.eml, created atomically, with the envelope in lines before it: From, To (one per recipient).
A recipient `refused@...` is refused permanently, `busy@...` temporarily.
"""

import itertools
import os
import pathlib
import re
import socketserver
import sys

FOLDER = pathlib.Path(sys.argv[2])
NUMBERS = itertools.count(len(list(FOLDER.glob("*.eml"))) + 1)


class Session(socketserver.StreamRequestHandler):
    timeout = 60

    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say("220 localhost ESMTP")
        sender, recipients = None, []
        while line := self.rfile.readline().decode("utf-8", "replace").strip():
            verb = line[:4].upper()
            address = re.search("<(.*?)>", line)
            if verb in ("EHLO", "HELO"):
                self.say("250 localhost")
            elif verb == "MAIL" and address:
                sender, recipients = address[1], []
                self.say("250 2.1.0 OK")
            elif verb == "RCPT" and address and sender is not None:
                if address[1].startswith("refused@"):
                    self.say("550 5.1.1 no such mailbox")
                elif address[1].startswith("busy@"):
                    self.say("451 4.3.0 come back later")
                else:
                    recipients.append(address[1])
                    self.say("250 2.1.5 OK")
            elif verb == "DATA" and recipients:
                self.say("354 go on")
                number = self.keep(sender, recipients)
                sender, recipients = None, []
                self.say(f"250 2.0.0 kept as {number}")
            elif verb == "RSET":
                sender, recipients = None, []
                self.say("250 2.0.0 OK")
            elif verb == "NOOP":
                self.say("250 2.0.0 OK")
            elif verb == "QUIT":
                self.say("221 2.0.0 bye")
                return
            else:
                self.say("503 5.5.1 not now")

    def keep(self, sender, recipients):
        letter = [f"From: {sender}\n".encode(), *(f"To: {it}\n".encode() for it in recipients), b"\n"]
        while (line := self.rfile.readline()).rstrip(b"\r\n") != b".":
            if not line:
                raise ConnectionError("the letter has no end")
            letter.append(line[1:] if line.startswith(b"..") else line)
        number = next(NUMBERS)
        part = FOLDER / f".{number}"
        part.write_bytes(b"".join(letter))
        os.rename(part, FOLDER / f"{number}.eml")
        return number


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[1])), Session).serve_forever()
