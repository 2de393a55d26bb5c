// The class of this name in Hadoop asks the native library, which its artifacts lack, for the owners of files, and refuses to work
// without it where Kerberos is used. All files of this cluster have one owner: this one does not ask.
package org.apache.hadoop.io;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

public class SecureIOUtils {
    public static RandomAccessFile openForRandomRead(File file, String mode, String owner, String group) throws IOException {
        return new RandomAccessFile(file, mode);
    }

    public static FSDataInputStream openFSDataInputStream(File file, String owner, String group) throws IOException {
        return FileSystem.getLocal(new Configuration()).getRaw().open(new Path(file.getAbsolutePath()));
    }

    public static FileInputStream openForRead(File file, String owner, String group) throws IOException {
        return new FileInputStream(file);
    }

    public static FileOutputStream createForWrite(File file, int permissions) throws IOException {
        if (!file.createNewFile()) {
            throw new AlreadyExistsException(file + " already exists");
        }
        return new FileOutputStream(file);
    }

    public static class AlreadyExistsException extends IOException {
        public AlreadyExistsException(String message) {
            super(message);
        }
    }
}
